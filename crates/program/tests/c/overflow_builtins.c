// Arithmetic that says whether it overflowed.
int main(void) {
    int a; unsigned u; long l; signed char c;
    int r = 0;
    r |= __builtin_add_overflow(2147483647, 1, &a);
    r |= (a == -2147483647 - 1) << 1;
    r |= __builtin_sub_overflow(1u, 2u, &u) << 2;
    r |= __builtin_mul_overflow(1L << 40, 1L << 30, &l) << 3;
    r |= __builtin_add_overflow(100, 27, &c) << 4;
    r |= __builtin_add_overflow(100, 28, &c) << 5;
    r |= (c == -128) << 6;
    r |= __builtin_mul_overflow(3, 4, &a) << 7;
    return r + a * 1000 + (u == 4294967295u) * 100000;
}
