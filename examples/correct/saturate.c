/*
 * An addition that stops at the ends of the range of int instead of
 * overflowing. Nothing is wrong: it agrees with the sum in a wider type, and
 * no operation in it overflows.
 *
 *     nearmiss check examples/correct/saturate.c
 */
#include <assert.h>
#include <limits.h>

int nondet_int(void);

static int saturating_add(int a, int b)
{
    if (b > 0 && a > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    return a + b;
}

int main(void)
{
    int a = nondet_int();
    int b = nondet_int();
    int sum = saturating_add(a, b);
    long long exact = (long long)a + b;

    if (exact > INT_MAX)
        assert(sum == INT_MAX);
    else if (exact < INT_MIN)
        assert(sum == INT_MIN);
    else
        assert(sum == exact);
}
