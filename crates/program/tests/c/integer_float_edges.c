// Conversions at the edges of the types.
int main(void) {
    unsigned long long m = 18446744073709551615ull;
    double d = (double)m;
    float f = (float)2147483647;
    long long b = (long long)9007199254740993.0;
    int r = (d == 18446744073709551616.0) + (f == 2147483648.0f) * 2 + (b == 9007199254740992LL) * 4;
    unsigned char c = (unsigned char)255.9;
    signed char s = (signed char)-128.5;
    unsigned long long back = (unsigned long long)9.3e18;
    return r + c * 10 + s * 100 + (int)(back % 1000) + (int)(d / 1e17);
}
