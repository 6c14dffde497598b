/* Models of math.h and fenv.h, behind those of library.c.
 *
 * Rounding, roots and what the machine computes are operators of programs (lower/library.rs). What is here is exact, or rounds
 * as the mode says (lower/rounding.rs), and sets no errno. A float goes through double where no bit is lost on the way.
 */
unsigned long long __nearmiss_bits_of_double(double x);
double __nearmiss_double_of_bits(unsigned long long bits);
unsigned __nearmiss_bits_of_float(float x);
float __nearmiss_float_of_bits(unsigned bits);
unsigned __int128 __nearmiss_bits_of_long_double(long double x);
long double __nearmiss_long_double_of_bits(unsigned __int128 bits);
int __nearmiss_unknown_int(const char *name);

/* For pointers to them: a call by name is the operator itself. */
#define ONE(name) \
    double name(double x) { return name(x); } \
    float name##f(float x) { return name##f(x); }
#define TWO(name) \
    double name(double x, double y) { return name(x, y); } \
    float name##f(float x, float y) { return name##f(x, y); }
#define LONG(name) long double name(long double x) { return name(x); }
ONE(fabs) ONE(sqrt) ONE(floor) ONE(ceil) ONE(trunc) ONE(round) ONE(rint) ONE(nearbyint) ONE(roundeven)
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p)
TWO(atan2) TWO(pow) TWO(hypot) TWO(fmod)
LONG(fabsl) LONG(sqrtl) LONG(floorl) LONG(ceill) LONG(truncl) LONG(roundl) LONG(rintl) LONG(nearbyintl) LONG(roundevenl)

double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
long double copysignl(long double x, long double y) { return __builtin_copysignl(x, y); }

/* Of two zeros, the second, as the machine's library has it. */
double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x > y ? x : y; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }
long double fmaxl(long double x, long double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
long double fminl(long double x, long double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
double fdim(double x, double y) { return x <= y ? 0 : x - y; }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }
long double fdiml(long double x, long double y) { return x <= y ? 0 : x - y; }

int finite(double x) { return __builtin_isfinite(x); }
int finitef(float x) { return __builtin_isfinite(x); }
int finitel(long double x) { return __builtin_isfinite(x); }

/* The bits of a number, less its sign, count as the numbers do. */
double nextafter(double x, double y)
{
    unsigned long long bits = __nearmiss_bits_of_double(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysign(__nearmiss_double_of_bits(1), y);
    return __nearmiss_double_of_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

float nextafterf(float x, float y)
{
    unsigned bits = __nearmiss_bits_of_float(x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysignf(__nearmiss_float_of_bits(1), y);
    return __nearmiss_float_of_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

/* A finite number that is not 0: sign, exponent, and 53 bits of which the first is 1. */
static int exponent_of(double x)
{
    unsigned long long size = __nearmiss_bits_of_double(x) & 0x7fffffffffffffff;
    return size >> 52 != 0 ? (int)(size >> 52) - 1023 : -1011 - __builtin_clzll(size);
}

static unsigned long long significand_of(double x)
{
    unsigned long long size = __nearmiss_bits_of_double(x) & 0x7fffffffffffffff;
    return size >> 52 != 0 ? (size & 0xfffffffffffff) | 0x10000000000000 : size << (__builtin_clzll(size) - 11);
}

double logb(double x)
{
    if (x == 0)
        return -__builtin_inf();
    if (x != x || x - x != 0)
        return x * x;
    return exponent_of(x);
}

int ilogb(double x)
{
    if (x == 0 || x != x)
        return -__INT_MAX__ - 1;
    return x - x != 0 ? __INT_MAX__ : exponent_of(x);
}

float logbf(float x) { return logb(x); }
int ilogbf(float x) { return ilogb(x); }

double frexp(double x, int *exponent)
{
    __nearmiss_claim_writable(exponent, sizeof(int), "frexp: an int can be written to $2");
    if (x == 0 || x - x != 0) {
        *exponent = 0;
        return x + x;
    }
    *exponent = exponent_of(x) + 1;
    unsigned long long fraction = significand_of(x) & 0xfffffffffffff;
    return __builtin_copysign(__nearmiss_double_of_bits(1022ULL << 52 | fraction), x);
}

float frexpf(float x, int *exponent) { return frexp(x, exponent); }

/* Below the normal numbers, and above the largest, one multiplication rounds once. */
double scalbln(double x, long by)
{
    if (x == 0 || x - x != 0)
        return x + x;
    if (by > 5000)
        by = 5000;
    if (by < -5000)
        by = -5000;
    int exponent = exponent_of(x) + (int)by;
    unsigned long long fraction = significand_of(x) & 0xfffffffffffff, sign = __nearmiss_bits_of_double(x) >> 63 << 63;
    if (exponent > 1023)
        return __nearmiss_double_of_bits(sign | 2046ULL << 52) * 0x1p1023;
    if (exponent >= -1022)
        return __nearmiss_double_of_bits(sign | (unsigned long long)(exponent + 1023) << 52 | fraction);
    if (exponent < -1076)
        exponent = -1076;
    return __nearmiss_double_of_bits(sign | (unsigned long long)(exponent + 1123) << 52 | fraction) * 0x1p-100;
}

double scalbn(double x, int by) { return scalbln(x, by); }
double ldexp(double x, int by) { return scalbln(x, by); }
float scalblnf(float x, long by) { return scalbln(x, by); }
float scalbnf(float x, int by) { return scalbln(x, by); }
float ldexpf(float x, int by) { return scalbln(x, by); }

double modf(double x, double *whole)
{
    __nearmiss_claim_writable(whole, sizeof(double), "modf: a double can be written to $2");
    *whole = trunc(x);
    if (x != x)
        return x + x;
    return __builtin_copysign(x - x != 0 ? 0 : x - *whole, x);
}

float modff(float x, float *whole)
{
    __nearmiss_claim_writable(whole, sizeof(float), "modff: a float can be written to $2");
    *whole = trunc(x);
    if (x != x)
        return x + x;
    return __builtin_copysignf(x - x != 0 ? 0 : x - *whole, x);
}

/* Long doubles: those of double, or 15 bits of exponent above a significand of 64, whose first bit is 1 but for the smallest numbers. */
#define IS_DOUBLE (sizeof(long double) == sizeof(double))

static unsigned long long size_of_long(long double x, int *exponent)
{
    unsigned __int128 bits = __nearmiss_bits_of_long_double(x);
    unsigned long long significand = bits;
    int shift = __builtin_clzll(significand);
    *exponent = (int)(bits >> 64 & 0x7fff) - 16383;
    if (*exponent == -16383)
        *exponent = -16382 - shift;
    return significand << shift;
}

static long double long_of(_Bool minus, int exponent, unsigned long long significand)
{
    unsigned __int128 head = (unsigned)(exponent + 16383) | (unsigned)minus << 15;
    return __nearmiss_long_double_of_bits(head << 64 | significand);
}

long double logbl(long double x)
{
    int exponent;
    if (IS_DOUBLE)
        return logb(x);
    if (x == 0)
        return -__builtin_inf();
    if (x - x != 0)
        return x * x;
    size_of_long(x, &exponent);
    return exponent;
}

int ilogbl(long double x)
{
    int exponent;
    if (IS_DOUBLE)
        return ilogb(x);
    if (x == 0 || x != x)
        return -__INT_MAX__ - 1;
    if (x - x != 0)
        return __INT_MAX__;
    size_of_long(x, &exponent);
    return exponent;
}

long double frexpl(long double x, int *exponent)
{
    int power;
    __nearmiss_claim_writable(exponent, sizeof(int), "frexpl: an int can be written to $2");
    if (IS_DOUBLE)
        return frexp(x, exponent);
    *exponent = 0;
    if (x == 0 || x - x != 0)
        return x + x;
    unsigned long long significand = size_of_long(x, &power);
    *exponent = power + 1;
    return long_of(x < 0, -1, significand);
}

long double scalblnl(long double x, long by)
{
    int exponent;
    if (IS_DOUBLE)
        return scalbln(x, by);
    if (x == 0 || x - x != 0)
        return x + x;
    unsigned long long significand = size_of_long(x, &exponent);
    exponent += by > 50000 ? 50000 : by < -50000 ? -50000 : (int)by;
    if (exponent > 16383)
        return long_of(x < 0, 16383, significand) * 0x1p16383L;
    if (exponent >= -16382)
        return long_of(x < 0, exponent, significand);
    if (exponent < -16447)
        exponent = -16447;
    return long_of(x < 0, exponent + 100, significand) * 0x1p-100L;
}

long double scalbnl(long double x, int by) { return scalblnl(x, by); }
long double ldexpl(long double x, int by) { return scalblnl(x, by); }

long double modfl(long double x, long double *whole)
{
    __nearmiss_claim_writable(whole, sizeof(long double), "modfl: a long double can be written to $2");
    *whole = truncl(x);
    if (x != x)
        return x + x;
    return __builtin_copysignl(x - x != 0 ? 0 : x - *whole, x);
}

/* Without the first bit of the significand, which follows from the exponent, these count as the numbers do, too. */
long double nextafterl(long double x, long double y)
{
    unsigned __int128 bits = __nearmiss_bits_of_long_double(x), size;
    if (IS_DOUBLE)
        return nextafter(x, y);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysignl(__nearmiss_long_double_of_bits(1), y);
    size = (bits >> 64 & 0x7fff) << 63 | ((unsigned long long)bits & 0x7fffffffffffffff);
    size += (x < y) == (x > 0) ? 1 : -1;
    unsigned __int128 field = size >> 63;
    bits = (field | (x < 0 ? 0x8000 : 0)) << 64 | (field != 0 ? 0x8000000000000000 : 0) | (size & 0x7fffffffffffffff);
    return __nearmiss_long_double_of_bits(bits);
}

double nexttoward(double x, long double y)
{
    if (x != x || y != y)
        return x + y;
    return x == y ? (double)y : nextafter(x, __builtin_signbit(y - x) ? -__builtin_inf() : __builtin_inf());
}

float nexttowardf(float x, long double y)
{
    if (x != x || y != y)
        return x + y;
    return x == y ? (float)y : nextafterf(x, __builtin_signbit(y - x) ? -__builtin_inf() : __builtin_inf());
}

long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

long lrintl(long double x) { return rintl(x); }
long long llrintl(long double x) { return rintl(x); }
long lroundl(long double x) { return roundl(x); }
long long llroundl(long double x) { return roundl(x); }
long lrint(double x) { return rint(x); }
long lrintf(float x) { return rint(x); }
long long llrint(double x) { return rint(x); }
long long llrintf(float x) { return rint(x); }
long lround(double x) { return round(x); }
long lroundf(float x) { return round(x); }
long long llround(double x) { return round(x); }
long long llroundf(float x) { return round(x); }

/* What remains from 0 to 2 |y| is brought between -|y| / 2 and |y| / 2; of halves, the even quotient wins. */
double remainder(double x, double y)
{
    double size = fabs(y);
    x = fmod(x, size >= 0x1p1023 ? __builtin_inf() : size + size);
    if (x != x)
        return x;
    double rest = fabs(x);
    if (size < 0x1p-1000) {
        if (rest + rest > size) {
            rest -= size;
            if (rest + rest >= size)
                rest -= size;
        }
    } else {
        double half = size * 0.5;
        if (rest > half) {
            rest -= size;
            if (rest >= half)
                rest -= size;
        }
    }
    if (rest == 0)
        return __builtin_copysign(0.0, x);
    return __builtin_copysign(1.0, x) < 0 ? -rest : rest;
}

float remainderf(float x, float y) { return remainder(x, y); }
double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainder(x, y); }

/* What remains of size * 2^places. With 2^63 <= by, so that powers of two are multiplied modulo it. */
static unsigned long long remains(unsigned long long size, unsigned long long by, int places)
{
    if (places < 64)
        return ((unsigned __int128)size << places) % by;
    unsigned long long left = size % by, power = 2;
    for (int i = 0; i < 16; i++) {
        if (places >> i & 1)
            left = (unsigned __int128)left * power % by;
        power = (unsigned __int128)power * power % by;
    }
    return left;
}

long double fmodl(long double x, long double y)
{
    int of_x, of_y;
    if (IS_DOUBLE)
        return fmod(x, y);
    if (x != x || y != y)
        return x + y;
    if (x - x != 0 || y == 0)
        return (x * y) / (x * y);
    if (x == 0 || fabsl(x) < fabsl(y))
        return x;
    unsigned long long size = size_of_long(x, &of_x), by = size_of_long(y, &of_y);
    unsigned long long left = remains(size, by, of_x - of_y);
    if (left == 0)
        return __builtin_copysignl(0, x);
    int places = __builtin_clzll(left), exponent = of_y - places;
    left = left << places;
    if (exponent >= -16382)
        return long_of(x < 0, exponent, left);
    unsigned __int128 sign = x < 0;
    return __nearmiss_long_double_of_bits(sign << 79 | left >> (-16382 - exponent));
}

long double remainderl(long double x, long double y)
{
    if (IS_DOUBLE)
        return remainder(x, y);
    long double size = fabsl(y);
    x = fmodl(x, size >= 0x1p16383L ? (long double)__builtin_inf() : size + size);
    if (x != x)
        return x;
    long double rest = fabsl(x);
    _Bool small = size < 0x1p-16000L;
    if (small ? rest + rest > size : rest > size * 0.5L) {
        rest -= size;
        if (small ? rest + rest >= size : rest >= size * 0.5L)
            rest -= size;
    }
    if (rest == 0)
        return __builtin_copysignl(0, x);
    return __builtin_signbit(x) ? -rest : rest;
}

long double dreml(long double x, long double y) { return remainderl(x, y); }

/* The last three bits of the quotient, as the machine's library has it, and its sign. */
double remquo(double x, double y, int *quotient)
{
    __nearmiss_claim_writable(quotient, sizeof(int), "remquo: an int can be written to $3");
    double rest = remainder(x, y), size = fabs(y);
    if (rest != rest) {
        *quotient = __nearmiss_unknown_int("quotient of remquo");
        return rest;
    }
    double left = fabs(size < 0x1p1021 ? fmod(x, 8 * size) : x);
    int count = 0;
    if (size < 0x1p1022 && left >= 4 * size) {
        left -= 4 * size;
        count += 4;
    }
    if (size < 0x1p1023 && left >= 2 * size) {
        left -= 2 * size;
        count += 2;
    }
    /* What remains is at most half of the divisor: so many times it was taken away. */
    if (size < 0x1p-1000 ? left + left > size : left > size * 0.5) {
        left -= size;
        count++;
        if (size < 0x1p-1000 ? left + left >= size : left >= size * 0.5)
            count++;
    }
    *quotient = (x < 0) != (y < 0) ? -count : count;
    return rest;
}

float remquof(float x, float y, int *quotient)
{
    __nearmiss_claim_writable(quotient, sizeof(int), "remquof: an int can be written to $3");
    return remquo(x, y, quotient);
}

long double remquol(long double x, long double y, int *quotient)
{
    if (IS_DOUBLE)
        return remquo(x, y, quotient);
    __nearmiss_claim_writable(quotient, sizeof(int), "remquol: an int can be written to $3");
    long double rest = remainderl(x, y), size = fabsl(y);
    if (rest != rest) {
        *quotient = __nearmiss_unknown_int("quotient of remquol");
        return rest;
    }
    long double left = fabsl(size < 0x1p16381L ? fmodl(x, 8 * size) : x);
    int count = 0;
    if (size < 0x1p16382L && left >= 4 * size) {
        left -= 4 * size;
        count += 4;
    }
    if (size < 0x1p16383L && left >= 2 * size) {
        left -= 2 * size;
        count += 2;
    }
    _Bool small = size < 0x1p-16000L;
    if (small ? left + left > size : left > size * 0.5L) {
        left -= size;
        count++;
        if (small ? left + left >= size : left >= size * 0.5L)
            count++;
    }
    *quotient = (x < 0) != (y < 0) ? -count : count;
    return rest;
}

/* The product of two floats is a double. The sum is rounded to odd, which leaves the last rounding its choice; what is always
 * rounded in one direction may be twice. */
float fmaf(float x, float y, float z)
{
    if (__CPROVER_rounding_mode > 3)
        __nearmiss_unsupported("fmaf where ties are rounded away from zero");
    double product = (double)x * y, sum = product + z;
    if (sum - sum != 0 || sum == 0 || __CPROVER_rounding_mode != 0)
        return sum;
    double back = sum - product;
    double lost = (product - (sum - back)) + (z - back);
    unsigned long long bits = __nearmiss_bits_of_double(sum);
    if (lost != 0 && bits % 2 == 0)
        sum = __nearmiss_double_of_bits((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
    return sum;
}

static unsigned __int128 shift_down(unsigned __int128 word, int by)
{
    if (by <= 0)
        return word;
    if (by >= 127)
        return word != 0;
    return word >> by | ((word & (((unsigned __int128)1 << by) - 1)) != 0);
}

/* Product and summand with 20 and more bits below both, and a last bit that stands for all that were lost. */
double fma(double x, double y, double z)
{
    if (x - x != 0 || y - y != 0 || x == 0 || y == 0)
        return x * y + z;
    if (z - z != 0)
        return z + z;
    if (z == 0)
        return x * y;
    _Bool minus = (x < 0) != (y < 0);
    unsigned __int128 left = (unsigned __int128)significand_of(x) * significand_of(y) << 20;
    unsigned __int128 right = (unsigned __int128)significand_of(z) << 73;
    int exponent = exponent_of(x) + exponent_of(y) - 124, other = exponent_of(z) - 125;
    left = shift_down(left, other - exponent);
    right = shift_down(right, exponent - other);
    if (exponent < other)
        exponent = other;
    if (minus == (z < 0))
        left = left + right;
    else if (left >= right)
        left = left - right;
    else {
        left = right - left;
        minus = !minus;
    }
    if (left == 0)
        return z - z;
    unsigned long long high = left >> 64, low = left;
    int length = high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
    /* Two bits more than a double has, or fewer where it is subnormal. */
    int drop = length - 55;
    if (exponent + drop < -1076)
        drop = -1076 - exponent;
    unsigned long long word;
    if (drop >= 0)
        word = shift_down(left, drop);
    else
        word = left << -drop;
    exponent = exponent + drop;
    int mode = __CPROVER_rounding_mode;
    unsigned long long rounded;
    if (mode > 3)
        __nearmiss_unsupported("fma where ties are rounded away from zero");
    if (mode == 0)
        rounded = (word + 1 + (word >> 2 & 1)) >> 2;
    else
        rounded = (word + (mode == (minus ? 1 : 2) ? 3 : 0)) >> 2;
    double size;
    if (exponent == -1076)
        size = __nearmiss_double_of_bits(rounded);
    else if (exponent > 969)
        return (minus ? -0x1p1023 : 0x1p1023) * 0x1p1023;
    else
        size = __nearmiss_double_of_bits(rounded + ((unsigned long long)(exponent + 1076) << 52));
    return minus ? -size : size;
}

/* 256 bits, and the same so many places lower, with a last bit that stands for all that were lost. */
struct pair {
    unsigned __int128 high, low;
};

static struct pair pair_down(struct pair word, int by)
{
    struct pair moved = word;
    if (by >= 128) {
        moved.high = 0;
        moved.low = shift_down(word.high, by - 128) | (word.low != 0);
    } else if (by > 0) {
        moved.high = word.high >> by;
        moved.low = word.high << (128 - by) | shift_down(word.low, by);
    }
    return moved;
}

static int length_of(unsigned __int128 word)
{
    unsigned long long high = word >> 64, low = word;
    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/* Product and summand have their first bit below the first of 256, and lose none where they cancel each other. */
long double fmal(long double x, long double y, long double z)
{
    if (IS_DOUBLE)
        return fma(x, y, z);
    if (x - x != 0 || y - y != 0 || x == 0 || y == 0)
        return x * y + z;
    if (z - z != 0)
        return z + z;
    if (z == 0)
        return x * y;
    int of_x, of_y, of_z;
    _Bool minus = (x < 0) != (y < 0);
    unsigned __int128 product = (unsigned __int128)size_of_long(x, &of_x) * size_of_long(y, &of_y);
    struct pair left = {product >> 1, product << 127}, right = {(unsigned __int128)size_of_long(z, &of_z) << 63, 0};
    int exponent = of_x + of_y - 253, other = of_z - 254;
    left = pair_down(left, other - exponent);
    right = pair_down(right, exponent - other);
    if (exponent < other)
        exponent = other;
    if (minus == (z < 0)) {
        unsigned __int128 low = left.low + right.low;
        left.high = left.high + right.high + (low < left.low);
        left.low = low;
    } else {
        if (left.high < right.high || (left.high == right.high && left.low < right.low)) {
            struct pair swapped = left;
            left = right;
            right = swapped;
            minus = !minus;
        }
        left.high = left.high - right.high - (left.low < right.low);
        left.low = left.low - right.low;
    }
    if (left.high == 0 && left.low == 0)
        return z - z;
    /* Two bits more than a long double has, or fewer where it is subnormal. */
    int drop = (left.high != 0 ? 128 + length_of(left.high) : length_of(left.low)) - 66;
    if (exponent + drop < -16447)
        drop = -16447 - exponent;
    unsigned __int128 word = drop >= 0 ? pair_down(left, drop).low : left.low << -drop;
    exponent = exponent + drop;
    int mode = __CPROVER_rounding_mode;
    if (mode > 3)
        __nearmiss_unsupported("fmal where ties are rounded away from zero");
    unsigned __int128 rounded = (word + (mode == 0 ? 1 + (word >> 2 & 1) : mode == (minus ? 1 : 2) ? 3 : 0)) >> 2;
    if (rounded >> 64 != 0) {
        rounded = rounded >> 1;
        exponent++;
    }
    if (exponent > 16318)
        return (minus ? -0x1p16383L : 0x1p16383L) * 0x1p16383L;
    unsigned long long significand = rounded;
    if (significand >> 63 != 0)
        return long_of(minus, exponent + 65, significand);
    return long_of(minus, -16383, significand);
}

/* The modes of x86 are two bits of a word. */
int fegetround(void)
{
    return __CPROVER_rounding_mode < 0 || __CPROVER_rounding_mode > 3 ? -1 : __CPROVER_rounding_mode << 10;
}

int fesetround(int mode)
{
    if ((mode & ~0xc00) != 0)
        return 1;
    __CPROVER_rounding_mode = mode >> 10;
    return 0;
}

/* The modes as the standard numbers them. */
int __builtin_flt_rounds(void)
{
    int mode = __CPROVER_rounding_mode;
    return mode == 0 ? 1 : mode == 1 ? 3 : mode == 2 ? 2 : mode == 3 ? 0 : -1;
}

unsigned __int128 __builtin_bswap128(unsigned __int128 x)
{
    return (unsigned __int128)__builtin_bswap64(x) << 64 | __builtin_bswap64(x >> 64);
}

/* FE_DFL_ENV; no other environment can be had, since what writes one has no model. */
static int set_environment(const void *environment)
{
    if ((size_t)environment != (size_t)-1)
        __nearmiss_unsupported("an environment of fenv.h other than FE_DFL_ENV");
    __CPROVER_rounding_mode = 0;
    return 0;
}

int fesetenv(const void *environment) { return set_environment(environment); }
int feupdateenv(const void *environment) { return set_environment(environment); }
int feclearexcept(int which) { return 0; }
