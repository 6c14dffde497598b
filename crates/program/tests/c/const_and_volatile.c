// Qualifiers change nothing here.
static const int k[3] = { 2, 3, 5 };
volatile int v = 7;
int main(void) {
    const int *p = k;
    int *restrict q = &(int) { 4 };
    v += p[2];
    register int r = v * 10;
    const struct { int a; } s = { 6 };
    return r + *q + s.a * 1000 + *(const char *)"z";
}
