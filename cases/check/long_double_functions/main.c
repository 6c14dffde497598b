// Where a long double has the 64 bits of double, too.
#include <assert.h>
#include <math.h>

int main(void)
{
    int exponent;
    long double whole, (*root)(long double) = sqrtl;
    volatile long double x = 10.75L;
    assert(frexpl(x, &exponent) == 10.75L / 16 && exponent == 4);
    assert(modfl(x, &whole) == 0.75L && whole == 10);
    assert(ldexpl(x, 3) == 86 && logbl(x) == 3 && ilogbl(x) == 3);
    assert(lrintl(x) == 11 && nextafterl(x, 11) > x && nexttoward(10.75, 11.0L) > 10.75);
    assert(root(16) == 4 && sqrtl(x - 1.75L) == 3 && floorl(x) == 10);
    return 0;
}
