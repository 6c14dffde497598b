/* half() is called twice, and its `r` is set twice: the cause says which. */
#include <assert.h>
int nondet_int(void);
static int half(int v)
{
    int r = v / 2;
    if (v > 4)
        r = v;
    return r;
}
int main(void)
{
    int a = nondet_int(), b = nondet_int();
    __CPROVER_assume(a >= 0 && a <= 8 && b >= 0 && b <= 8);
    int r = half(a);
    r = half(b);
    assert(r < 4 || a > 7);
    return 0;
}
