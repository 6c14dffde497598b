// not, and, or, xor in one pot.
int main(void) {
    unsigned x = 0xdeadbeef;
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = ~x ^ (x >> 16);
    int n = -5;
    return (int)(x % 100003) + (~n) * 7 + (n & 0xff) * 11 + (n | 1) * 13 + (n ^ -1) + !x + !!n + (1 | 2 ^ 3 & 4);
}
