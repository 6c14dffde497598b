#include <assert.h>
int nondet_int(void);
int a[4] = {1, 2, 3, 4};
int main(void)
{
    int i = nondet_int();
    if (i < 0 || i > 3) return 0;
    assert(a[i] != 3);
    return 0;
}
