// Toward zero, signs of remainders, unsigned and wide.
int main(void) {
    int r = 0;
    for (int a = -7; a <= 7; a += 7) for (int b = -3; b <= 3; b += 2) r = r * 3 + a / b * 5 + a % b;
    unsigned u = -7;
    long long l = -9223372036854775807LL / 1000;
    unsigned long long ul = 18446744073709551615ull;
    return r % 100003 + (int)(u / 1000) + (int)(l % 1000) + (int)(ul % 1000) + (int)(ul / 3 % 1000) + (short)-32768 / -1;
}
