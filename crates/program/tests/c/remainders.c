// Remainders of floats of all sizes, also where twice the divisor is infinite.
#include <math.h>
#include <string.h>

static unsigned long state = 88172645463325252UL, hash;

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
    unsigned short head;
    memcpy(&bits, &x, 8), memcpy(&head, (char *)&x + 8, 2);
    take(isnan(x) ? 1 : bits), take(isnan(x) ? 1 : head);
}

static long double number(void)
{
    static const long double special[] = {0.0L, -0.0L, 0.5L, -1.5L, 3.0L, 0x1p-16445L, -0x1p-16382L, 0x1.fffffffffffffffep16383L, -0x1p16383L, 0x1.8p16383L, INFINITY, NAN};
    unsigned long choice = next();
    unsigned short head = next();
    long double x = 0;
    if (choice % 8 == 0)
        return special[choice / 8 % 12];
    if (choice % 8 == 1) {
        choice = next() >> choice / 8 % 64;
        memcpy(&x, &choice, 8);
        return x < 0x1p-16382L ? x : 0x1p-16440L;
    }
    if (choice % 8 != 2)
        head = (head & 0x8000) | (16383 - 40 + head % 80);
    choice = next() >> 1 << choice / 8 % 63 | 1UL << 63;
    head = (head & 0x7fff) == 0x7fff || (head & 0x7fff) == 0 ? 16383 : head;
    memcpy(&x, &choice, 8), memcpy((char *)&x + 8, &head, 2);
    return x;
}

static void keep_quotient(long double x, long double y)
{
    int quotient = 0;
    long double rest = remquol(x, y, &quotient);
    keep_long(rest), take(isnan(rest) ? 0 : quotient);
}

int main(void)
{
    static const double sizes[] = {0x1p1023, 0x1.8p1023, 0x1.1p1022, 0x1p1022, 0x1.4p1021, 0x1p1020, 0x1.8p1020, 0x1.fffffffffffffp1023, 0x1p-1074, 0x3p-1074, 0x1.8p-1022};
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++)
            for (int k = 0; k < 15; k++) {
                double x = sizes[i] * (k & 1 ? -1 : 1), y = sizes[j] * (k & 2 ? -1 : 1);
                if (isfinite(x * (k * 0.5)))
                    x = x * (k * 0.5);
                int quotient = 0;
                keep(remainder(x, y)), keep(remquo(x, y, &quotient)), take(quotient);
                long double large = (long double)x * 0x1p15360L, by = (long double)y * 0x1p15360L;
                keep_long(remainderl(large, by)), keep_long(fmodl(large, by)), keep_quotient(large, by);
            }
    for (int i = 0; i < 600; i++) {
        long double x = number(), y = number();
        keep_long(fmodl(x, y)), keep_long(remainderl(x, y)), keep_quotient(x, y);
    }
    long double x = 0x1.9p16383L;
    keep_long(fmodl(x, 0x1.fffffffffffffffep-16383L)), keep_long(fmodl(-x, 0x3p-16445L)), keep_long(remainderl(7.5L, -5));
    return hash;
}
