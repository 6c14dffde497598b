// Arithmetic, comparisons, conversions of binary64.
int main(void) {
    double a = 0.1, b = 0.2, s = 0;
    int r = a + b == 0.3;
    r += (a + b > 0.3) * 2;
    for (int i = 1; i <= 20; i++) s += 1.0 / i;
    r += (int)(s * 100000) * 4;
    double big = 1e308 * 10, nan = big - big;
    r += (big > 1e308) + (nan != nan) * 3 + (nan < 1) * 1000 + (1 / -big == 0) * 7;
    long long l = (long long)-1e15;
    unsigned u = (unsigned)3e9;
    return r + (int)(l % 1000) + (int)(u % 1000) + (int)-2.9 * 100 + (int)(float)16777217 % 100;
}
