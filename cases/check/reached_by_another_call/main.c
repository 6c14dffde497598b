#include <assert.h>
int nondet_int(void);
static int a[4];
static void put(int i, int on) { if (on) { a[i] = 7; assert(i < 4); } }
int main(void)
{
    int y = nondet_int(), z = nondet_int();
    __CPROVER_assume(z == 0);
    put(1, y);
    put(y & 3, z);
    assert(a[1] == 0 || a[1] == 7);
    return 0;
}
