// Lengths from values, sizeof at run time, in loops.
static int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int main(void) {
    int total = 0;
    for (int n = 1; n < 6; n++) {
        int a[n * 2];
        for (int i = 0; i < n * 2; i++) a[i] = i * n;
        total += sum(n * 2, a) + (int)sizeof a;
    }
    int k = 4;
    char s[k];
    k = 9;
    return total * 10 + (int)sizeof s;
}
