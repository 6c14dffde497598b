// NaNs that become floats of other types: their signs and the first bits of their fractions stay.
static unsigned long long state = 88172645463325252ull, sum;
static unsigned long long next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
static void take(unsigned long long word) { sum = sum * 1099511628211ull + word; }
union single { unsigned word; float value; };
union twice { unsigned long long word; double value; };
union wide { struct { unsigned long long significand; unsigned short head; } word; long double value; };
static void see_float(float x) { union single u; u.value = x; take(u.word); }
static void see(double x) { union twice u; u.value = x; take(u.word); }
static void see_wide(long double x) {
    union wide u;
    u.value = x;
    take(u.word.significand), take(u.word.head);
}
int main(void) {
    for (int i = 0; i < 300; i++) {
        // Few bits of some, and signalling ones: the first bit of the fraction is missing there.
        unsigned long long bits = i % 3 == 0 ? 1ull << (next() % 63) : next();
        union single f;
        union twice d;
        union wide l = {{0, 0}};
        f.word = (next() & 1) << 31 | 0x7f800000u | (bits & 0x7fffff) | 1u << (i % 23);
        d.word = next() << 63 | 0x7ffull << 52 | (bits & ~0ull >> 12) | 1ull << (i % 52);
        l.word.significand = 1ull << 63 | bits | 1ull << (i % 63), l.word.head = 0x7fff | (next() & 1) << 15;
        see(f.value), see_wide(f.value), see_float(d.value), see_wide(d.value), see_float(l.value), see(l.value);
    }
    return sum >> 32 ^ sum & 0x7fffffff;
}
