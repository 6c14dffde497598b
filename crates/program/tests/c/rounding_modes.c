// Every mode of rounding: arithmetic, roots, conversions, whole numbers and what math.h makes of them.
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned long state = 88172645463325252UL, hash;
static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

static unsigned long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void take(unsigned long bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15UL;
    hash ^= hash >> 29;
}

static void keep(double x)
{
    unsigned long bits;
    memcpy(&bits, &x, 8);
    take(isnan(x) ? 1 : bits);
}

static void keep_long(long double x)
{
    unsigned long bits;
    memcpy(&bits, &x, 8);
    take(isnan(x) ? 1 : bits);
    take(isnan(x) ? 1 : *((unsigned short *)&x + 4));
}

static double number(void)
{
    static const double special[] = {0.0, -0.0, 0.5, -1.5, 2.5, 0x1p-1074, -0x1p-1022, 0x1.fffffffffffffp1023, -0x1p127, 0x1p-149, INFINITY, NAN};
    unsigned long choice = next(), bits = next();
    double x;
    if (choice % 4 == 0)
        return special[choice / 4 % 12];
    if (choice % 4 != 1)
        bits = (bits & 0x800fffffffffffff) | (1023 - 30 + choice / 4 % 60) << 52;
    memcpy(&x, &bits, 8);
    return x;
}

static void doubles(double x, double y, double z)
{
    keep(x + y), keep(x - y), keep(x * y), keep(x / y), keep(sqrt(x)), keep(x - x);
    keep(rint(x)), keep(nearbyint(y)), keep(floor(x)), keep(ceil(x)), keep(trunc(x)), keep(round(x)), keep(roundeven(x));
    keep(fma(x, y, z)), keep(fma(x, y, -(x * y))), keep(fdim(x, y)), keep(fmod(x, y)), keep(fabs(remainder(x, y)));
    keep(ldexp(x, (int)(next() % 2400) - 1200)), keep(nextafter(x, y));
    if (fabs(x) < 1e15)
        take(lrint(x)), take(llround(x)), take((long)x);
}

static void floats(float x, float y, float z)
{
    keep(x + y), keep(x - y), keep(x * y), keep(x / y), keep(sqrtf(x)), keep(rintf(x)), keep(floorf(y));
    keep(fmaf(x, y, z)), keep(fdimf(x, y)), keep(ldexpf(x, (int)(next() % 300) - 150));
    x += 0.1, y *= 0.3f, x++;
    keep(x), keep(y), keep(-x);
}

static void long_doubles(long double x, long double y)
{
    x += y / 3;
    keep_long(x + y), keep_long(x - y), keep_long(x * y), keep_long(x / y), keep_long(sqrtl(x)), keep_long(rintl(x));
    keep_long(ldexpl(x, (int)(next() % 40000) - 20000)), keep((double)x), keep((float)y);
}

static void conversions(long word)
{
    keep((double)word), keep((float)word), keep((double)(unsigned long)word), keep((float)(unsigned long)word);
    keep((float)(int)word), keep((double)(int)word), keep_long((long double)word);
}

int main(void)
{
    take(fegetround());
    for (int i = 0; i < 600; i++) {
        double x = number(), y = number(), z = number();
        take(fesetround(modes[i % 4]));
        take(fegetround());
        doubles(x, y, z);
        floats(x, y, z);
        long_doubles(x, y);
        conversions((long)next());
        keep(strtod("0.1", 0)), keep(strtod("-0.1", 0)), keep(strtof("-3.3e-5", 0)), keep(atof("1e22"));
    }
    take(fesetround(5)), take(fegetround());
    fesetround(FE_TONEAREST);
    return (int)(hash >> 33);
}
