// The right side runs only where it matters.
static int n;
static int t(int x) { n++; return x; }
int main(void) {
    int a[3] = { 1, 2, 3 }, i = 3, *p = 0;
    int r = 0;
    if (i < 3 && a[i] == 1) r += 1;
    if (p && *p) r += 2;
    if (!p || *p) r += 4;
    r += (t(1) || t(1)) * 8 + (t(0) && t(1)) * 16 + (t(0) || t(2)) * 32 + (t(3) && t(4)) * 64;
    return r + n * 1000 + (2 && 3) + !5 + !!7;
}
