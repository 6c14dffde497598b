// Every operator with =, evaluated in the wider type.
int main(void) {
    int a = 7; unsigned char c = 250; short s = -5; long long l = 3; float f = 2.5f; int i = 10;
    a += 3; a -= 1; a *= 4; a /= 5; a %= 6; a <<= 5; a >>= 1; a |= 9; a &= ~1; a ^= 0x55;
    c += 10; c *= 3; s /= 2; l *= i; l -= 0.5; f *= i; i *= 1.5; i += 'a';
    c ^= 0x100 | 1;
    int v[2] = { 0, 0 }, k = 0;
    v[k++] += 5;
    return a + c * 1000 + s * 7 + (int)l * 11 + (int)f * 13 + i * 17 + v[0] * k;
}
