#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x[2];
    int y = nondet_int();
    x[0] = y;
    x[1] = 3;
    assert(x[y & 1] != 4);
    return 0;
}
