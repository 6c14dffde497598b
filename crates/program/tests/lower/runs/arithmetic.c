/* Conversions and operators of every width. */
#include <assert.h>

int main(void)
{
    char c = 127;
    c++;
    assert(c == -128);
    unsigned char uc = 255;
    uc++;
    assert(uc == 0);
    short s = -1;
    s--;
    assert(s == -2);
    unsigned un = 0;
    un--;
    assert(un == 4294967295u);
    assert(-1 > 1u);
    assert((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && ~5 == -6);
    assert((1u << 31) >> 31 == 1 && -8 >> 1 == -4);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7u / 2 == 3);
    float f = 0.1f;
    double g = f;
    assert(g != 0.1 && (int)3.9 == 3 && (int)-3.9 == -3 && 1 / 2.0 == 0.5 && f < g + 1);
    assert((_Bool)0.5 == 1);
    _Bool b = 5;
    assert(b == 1);
    b--;
    assert(b == 0);
    b = 0.25;
    assert(b);
    unsigned long long ull = 1ull << 40;
    assert(ull >> 38 == 4);
    __int128 big = (__int128)ull * ull;
    assert(big >> 80 == 1);
    assert(__builtin_popcount(0xf0f0) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_parity(7) == 1);
    assert(__builtin_bswap32(0x11223344) == 0x44332211);
    int sum;
    assert(__builtin_add_overflow(2147483647, 1, &sum) && sum == -2147483647 - 1);
    assert(!__builtin_mul_overflow(1000, 1000, &sum) && sum == 1000000);
    unsigned difference;
    assert(__builtin_sub_overflow(1u, 2u, &difference) && difference == 4294967295u);
    enum { A, B = 5, C } e = C;
    assert(e == 6);
    long l = -1;
    assert((unsigned char)l == 255 && (unsigned)l == 4294967295u);
    return 0;
}
