// What of math.h is computed exactly, on special values and random ones.
#include <float.h>
#include <math.h>

static unsigned long long state = 0x123456789abcdefULL;
static unsigned hash;

static unsigned long long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double wild(void)
{
    static const double special[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.5, 2.5, 3.0, 1e300, -1e-300, 0x1p-1074, -0x1p-1022,
                                     0x1.fffffffffffffp1023, 4503599627370495.5, 9007199254740993.0, INFINITY, -INFINITY, NAN};
    union { unsigned long long bits; double number; } u;
    unsigned long long choice = next();
    if (choice % 4 == 0)
        return special[choice / 4 % (sizeof special / sizeof *special)];
    u.bits = next();
    if (choice % 4 == 1) /* about 1, with few bits */
        u.bits = (u.bits & 0x8000000000000000) | (1023 - 40 + choice / 4 % 100) << 52 | (u.bits & 0xff) << 44;
    if (choice % 4 == 2) /* about 1 */
        u.bits = (u.bits & 0x800fffffffffffff) | (1023 - 60 + choice / 4 % 130) << 52;
    return u.number;
}

static void fold(unsigned long long word)
{
    hash = hash * 31 + (unsigned)(word ^ word >> 32);
}

static void see(double x)
{
    union { double number; unsigned long long bits; } u = {x};
    fold(x != x ? 1 : u.bits);
}

static void see_float(float x)
{
    union { float number; unsigned bits; } u = {x};
    fold(x != x ? 1 : u.bits);
}

static void rounded(double x)
{
    see(floor(x)), see(ceil(x)), see(trunc(x)), see(round(x)), see(rint(x)), see(nearbyint(x));
    float y = x;
    see_float(floorf(y)), see_float(ceilf(y)), see_float(truncf(y)), see_float(roundf(y)), see_float(rintf(y));
    if (fabs(x) < 1e9)
        fold(lrint(x)), fold(llrint(x)), fold(lround(x)), fold(llround(x)), fold(lrintf(y)), fold(lroundf(y));
}

static void taken_apart(double x, int by)
{
    int exponent = 7;
    double whole;
    float single;
    see(frexp(x, &exponent)), fold(exponent);
    see(modf(x, &whole)), see(whole);
    see(logb(x)), fold(ilogb(x));
    see(ldexp(x, by)), see(scalbn(x, -by)), see(scalbln(x, by * 2));
    float y = x;
    see_float(frexpf(y, &exponent)), fold(exponent);
    see_float(modff(y, &single)), see_float(single);
    see_float(ldexpf(y, by / 8)), see_float(logbf(y)), fold(ilogbf(y));
    fold(!!isnan(x) | !!isinf(x) << 1 | !!isfinite(x) << 2 | !!isnormal(x) << 3 | !!signbit(x) << 4);
    fold(fpclassify(x)), fold(fpclassify(y)), fold(!!isnormal(y));
}

static void paired(double x, double y, double z)
{
    see(copysign(x, y));
    if (x != 0 || y != 0)
        see(fmax(x, y)), see(fmin(x, y)), see_float(fmaxf(x, y)), see_float(fminf(x, y));
    see(fdim(x, y)), see(nextafter(x, y)), see_float(nextafterf(x, y)), see_float(fdimf(x, y));
    see(fmod(x, y)), see(remainder(x, y)), see_float(fmodf(x, y)), see_float(remainderf(x, y));
    int quotient = 0;
    see(remquo(x, y, &quotient)), see_float(nexttowardf(x, y)), see(nexttoward(x, z * 1.0L));
    if (y == y && y != 0 && x - x == 0)
        fold(quotient);
    see_float(remquof(x, y, &quotient)), see(drem(x, z)), fold(!!finite(x));
    see(fma(x, y, z)), see(fma(x, y, -(x * y))), see_float(fmaf(x, y, z)), see_float(fmaf(x, y, -((float)x * (float)y)));
    see(sqrt(x)), see(fabs(x));
    fold(!!isgreater(x, y) | !!isless(x, y) << 1 | !!isunordered(x, y) << 2 | !!islessgreater(x, y) << 3 |
         !!isgreaterequal(x, y) << 4 | !!islessequal(x, y) << 5);
}

int main(void)
{
    for (int i = 0; i < 700; i++) {
        double x = wild(), y = wild(), z = wild();
        rounded(x);
        taken_apart(y, (int)(next() % 2400) - 1200);
        paired(x, y, z);
    }
    return hash;
}
