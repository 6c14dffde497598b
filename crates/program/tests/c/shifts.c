// Left, right, signed, by variables, of narrow and wide types.
int main(void) {
    int r = 0;
    unsigned u = 0x80000001u;
    for (int i = 0; i < 32; i += 5) r += (int)((u >> i) ^ (u << i)) % 101;
    int n = -17;
    long long w = 1LL << 45;
    unsigned char c = 0x81;
    c <<= 1; c >>= 1;
    n >>= 2;
    return r + n * 10 + (int)(w >> 40) * 1000 + c * 7 + ((unsigned short)0xffff << 15 > 0) + (int)(1u << 31 >> 28);
}
