#include <assert.h>
int nondet_int(void);
static int depth(int n)
{
    return n <= 0 ? 0 : 1 + depth(n - 1);
}
int main(void)
{
    int n = nondet_int();
    __CPROVER_assume(n >= 0 && n <= 6);
    int d = depth(n);
    assert(d < 5);
    assert(d < 4);
    return 0;
}
