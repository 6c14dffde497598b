#include <assert.h>
#include <fenv.h>
#include <math.h>

float nondet_float(void);
int nondet_int(void);

int main(void)
{
    float x = nondet_float(), y = nondet_float();
    int mode = nondet_int();
    __CPROVER_assume(x >= 1 && x < 2 && y >= 1 && y < 2);
    fesetround(FE_DOWNWARD);
    float low = x / y;
    fesetround(FE_UPWARD);
    float high = x / y;
    if (fesetround(mode) != 0)
        return 0;
    float quotient = x / y;
    assert(low <= quotient && quotient <= high);
    assert(rint(2.5) == 2);
    return 0;
}
