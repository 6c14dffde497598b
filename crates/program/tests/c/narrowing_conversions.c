// Conversions to narrower types keep the low bits.
int main(void) {
    int i = 0x12345678;
    signed char c = (signed char)i;
    unsigned char u = (unsigned char)-1;
    short s = (short)0x18000;
    unsigned short us = (unsigned short)-2;
    long long l = 0x123456789abcdefLL;
    int low = (int)l;
    unsigned n = (unsigned)-3;
    return c + u * 3 + s * 5 + us * 7 + (low ^ (int)n);
}
