// The upper end of an interval is computed before the mode is set.
#include <assert.h>
#include <fenv.h>

struct interval { float low, high; };

static struct interval sum(struct interval a, struct interval b)
{
    struct interval result;
    fesetround(FE_DOWNWARD);
    result.low = a.low + b.low;
    result.high = a.high + b.high;
    fesetround(FE_UPWARD);
    return result;
}

int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    __CPROVER_assume(n >= 0 && n <= 100);
    float x = n, y = 0.1f;
    struct interval all = sum((struct interval){x, x}, (struct interval){y, y});
    double exact = (double)x + y;
    assert(all.low <= exact && exact <= all.high);
    return 0;
}
