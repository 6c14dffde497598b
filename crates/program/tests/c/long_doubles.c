// The 80 bits of long double: arithmetic, order and conversions of random patterns, rich in special values and near ties.
#include <math.h>
#include <string.h>

static unsigned long state = 88172645463325252UL;

static unsigned long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static long double pattern(void)
{
    unsigned long random = next(), significand = next();
    unsigned exponent = 16383 + random % 8 - 4;
    if (random >> 60 == 0)
        exponent = 0x7fff;
    else if (random >> 60 == 1)
        exponent = random >> 8 & 3;
    else if (random >> 60 == 2)
        exponent = 0x7ffe - (random >> 8 & 3);
    else if (random >> 60 < 6)
        exponent = 16383 + (random >> 8) % 140 - 70;
    else if (random >> 60 == 6)
        exponent = random >> 8 & 0x7fff;
    if (random >> 4 & 1)
        significand &= -1UL << (random >> 12 & 63);
    if ((random >> 5 & 3) == 0)
        significand = random >> 20 & 3;
    if (exponent != 0)
        significand |= 1UL << 63;
    else
        significand &= ~(1UL << 63);
    exponent |= (random >> 7 & 1) << 15;
    long double x = 0;
    memcpy(&x, &significand, 8);
    memcpy((char *)&x + 8, &exponent, 2);
    return x;
}

static unsigned long hash;

static void take(unsigned long bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15UL;
    hash ^= hash >> 29;
}

static void keep(long double x)
{
    unsigned long significand;
    unsigned short exponent;
    memcpy(&significand, &x, 8);
    memcpy(&exponent, (char *)&x + 8, 2);
    take(isnan(x) ? 1 : significand);
    take(isnan(x) ? 1 : exponent);
}

static void narrow(long double x)
{
    double d = x;
    float f = x;
    unsigned long bits = 0;
    unsigned word = 0;
    memcpy(&bits, &d, 8);
    memcpy(&word, &f, 4);
    take(isnan(d) ? 1 : bits);
    take(isnan(f) ? 1 : word);
    keep(d);
    keep(f);
    if (x > -9e18L && x < 9e18L)
        take((long)x);
    if (x > -1.0L && x < 1.8e19L)
        take((unsigned long)x);
    if (x > -2e9L && x < 2e9L)
        take((int)x);
}

static void functions(long double x, long double y, int by)
{
    int exponent = 7;
    long double whole = 0;
    keep(frexpl(x, &exponent));
    if (x - x == 0)
        take(exponent);
    keep(modfl(y, &whole));
    keep(whole);
    keep(logbl(x));
    take(ilogbl(y));
    keep(ldexpl(x, by));
    keep(scalbnl(y, 200 * by));
    keep(scalblnl(x, -by));
    keep(nextafterl(x, y));
    keep(nextafterl(y, 0));
    keep(nexttowardl(x, -y));
    keep(nexttoward(x, y));
    keep(fdiml(x, y));
    keep(nanl(""));
    if (fabsl(x) < 1e9L)
        take(lrintl(x)), take(llroundl(x)), take(lroundl(x)), take(llrintl(x));
}

int main(void)
{
    for (int i = 0; i < 400; i++) {
        long double x = pattern(), y = pattern();
        keep(x + y);
        keep(x - y);
        keep(x * y);
        keep(x / y);
        keep(-x);
        keep(fabsl(x));
        keep(floorl(x));
        keep(ceill(y));
        keep(truncl(x));
        keep(roundl(y));
        keep(rintl(x));
        keep(sqrtl(fabsl(x)));
        keep(sqrtl(y));
        functions(x, y, (int)(next() % 200) - 100);
        take((x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * !!isnan(x) + 32 * !!isinf(y));
        take(!!signbit(x) + 2 * !!isnormal(y) + 4 * !x);
        narrow(x);
        keep((long)next());
        keep(next());
        keep((int)next());
        keep((__int128)next() << 60 ^ next());
        x = (int)next();
        x++;
        x *= 1.0L / 3;
        keep(x);
    }
    return (int)(hash >> 33);
}
