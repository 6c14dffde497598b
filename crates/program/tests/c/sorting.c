// Bubble, insertion and quick sort agree.
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void bubble(int *a, int n) { for (int i = 0; i < n; i++) for (int j = 0; j + 1 < n - i; j++) if (a[j] > a[j + 1]) swap(a + j, a + j + 1); }
static void insertion(int a[], int n) { for (int i = 1; i < n; i++) { int k = a[i], j = i; while (j > 0 && a[j - 1] > k) { a[j] = a[j - 1]; j--; } a[j] = k; } }
static void quick(int *a, int lo, int hi) {
    if (lo >= hi) return;
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) swap(&a[i++], &a[j--]); }
    quick(a, lo, j); quick(a, i, hi);
}
int main(void) {
    int a[12], b[12], c[12], h = 0;
    unsigned x = 12345;
    for (int i = 0; i < 12; i++) { x = x * 1103515245u + 12345u; a[i] = b[i] = c[i] = (int)(x >> 16) % 100 - 50; }
    bubble(a, 12); insertion(b, 12); quick(c, 0, 11);
    for (int i = 0; i < 12; i++) { if (a[i] != b[i] || b[i] != c[i]) return -1; h = h * 3 + a[i]; }
    return h;
}
