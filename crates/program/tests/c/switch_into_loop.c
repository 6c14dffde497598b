// The device of Duff: cases inside a loop, nested switches, a switch without a match.
static int copy(char *to, const char *from, int n) {
    int rounds = (n + 3) / 4, k = 0;
    switch (n % 4) {
    case 0: do { *to++ = *from++; k++;
    case 3:      *to++ = *from++; k++;
    case 2:      *to++ = *from++; k++;
    case 1:      *to++ = *from++; k++;
            } while (--rounds > 0);
    }
    return k;
}
int main(void) {
    char to[8] = { 0 };
    int k = copy(to, "abcdefg", 7), r = 0;
    switch (k) { case 7: switch (to[6]) { case 'g': r = 1; break; default: r = 2; } r += 10; break; }
    switch (r) { case 99: r = 0; }
    switch ((long long)1 << 40) { case 0: r = 5; break; case 1LL << 40: r += 100; }
    return r + to[3] * 1000;
}
