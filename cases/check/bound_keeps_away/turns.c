#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x = nondet_int(), n = 0;
    __CPROVER_assume(x >= 6 && x <= 8);
    while (n < x)
        n++;
    assert(n == 7);
    return 0;
}
