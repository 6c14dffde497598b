// while, do, for without parts, break, continue.
int main(void) {
    int s = 0, i = 0;
    while (i < 10) { if (i++ % 3 == 0) continue; s += i; }
    do { s += 100; } while (s < 500);
    for (;;) { if (s > 2000) break; s *= 2; }
    for (int a = 0, b = 10; a < b; a++, b--) s += a * b;
    for (i = 5; i--;) if (i == 2) continue; else s += i;
    do { if (i < 0) break; s = 0; } while (1);
    int n = 27, steps = 0;
    while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; }
    return s + steps * 10000;
}
