// Counting bits, expecting, choosing, offsets.
struct s { char c; int v[4]; };
int main(void) {
    int r = __builtin_popcount(0xf0f0u) + __builtin_clz(1u) * 10 + __builtin_ctz(8u) * 1000 + __builtin_ffs(0) + __builtin_ffs(16) * 7;
    r += __builtin_popcountll(~0ull) + __builtin_clzll(1ull) + __builtin_ctzll(1ull << 40);
    if (__builtin_expect(r > 0, 1)) r += 100000;
    r += __builtin_constant_p(3) * 3 + (int)__builtin_offsetof(struct s, v[2]);
    r += (int)__builtin_bswap32(0x01020304u) % 1000 + __builtin_abs(-5) + __builtin_parity(7u);
    r += __builtin_types_compatible_p(int, int) * 17;
    r += __builtin_clrsb(0) + __builtin_clrsb(-1) * 3 + __builtin_clrsb(-77) * 5 + __builtin_clrsbl(1l << 40) * 7 + __builtin_clrsbll(-2ll) * 11;
    return r;
}
