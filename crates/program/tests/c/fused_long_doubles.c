// fmal: cancellation, numbers that are too small or too large, every mode of rounding.
#include <fenv.h>
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

static void keep(long double x)
{
    unsigned long bits;
    unsigned short head;
    memcpy(&bits, &x, 8), memcpy(&head, (char *)&x + 8, 2);
    hash = (hash ^ (isnan(x) ? 1 : bits)) * 0x9e3779b97f4a7c15UL + (isnan(x) ? 1 : head);
    hash ^= hash >> 29;
}

static long double number(int exponent)
{
    unsigned long bits = next() >> 1, places = next() % 63;
    bits = bits << places | 1UL << 63;
    long double x = 0;
    unsigned short head = (next() & 1) << 15 | (16383 + exponent);
    memcpy(&x, &bits, 8), memcpy((char *)&x + 8, &head, 2);
    return x;
}

static void see(long double x, long double y, long double z)
{
    keep(fmal(x, y, z)), keep(fmal(x, y, -(x * y))), keep(fmal(-x, y, z));
}

static void try(int a, int b, int c)
{
    long double x = number(a), y = number(b);
    see(x, y, number(c));
}

int main(void)
{
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    static const long double special[] = {0.0L, -0.0L, 1.0L, -3.0L, 0x1p-16445L, -0x1p-16382L, 0x1.fffffffffffffffep16383L, INFINITY, NAN};
    for (int mode = 0; mode < 4; mode++) {
        fesetround(modes[mode]);
        for (int i = 0; i < 60; i++) {
            int apart = (int)(next() % 300) - 150;
            try(3, -5, apart), try(-8190 - i, -8190, -16382 + i), try(-8200, -8245 + i, -16382), try(8190, 8192, 16383 - i);
        }
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++)
                for (int k = 0; k < 9; k++)
                    see(special[i], special[j], special[k]);
        see(1 + 0x1p-63L, 1 - 0x1p-64L, -1), see(0x1.8p-8223L, 0x1p-8223L, 0x1p-16445L), see(0x1p-16445L, 0x1p-16445L, 1);
    }
    return hash ^ hash >> 32;
}
