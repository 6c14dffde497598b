#include <assert.h>
#include <fenv.h>

float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    __CPROVER_assume(x >= 1 && x <= 2);
    float third = x / 3;
    assert(third * 3.0 <= x);
    assert(fegetround() == FE_TOWARDZERO);
    fesetround(FE_UPWARD);
    third = x / 3;
    assert(third * 3.0 <= x);
    return 0;
}
