// Sums, differences, negative indices, one past the end.
int main(void) {
    int a[10];
    for (int *p = a; p < a + 10; p++) *p = (int)(p - a) * (int)(p - a);
    int *end = &a[10], *mid = a + 5;
    long n = end - mid;
    int r = mid[-2] + 100 * *(mid + 3) + 10000 * (int)n + (end > mid) + (mid >= a) + (a == &a[0]);
    short *s = (short *)a;
    r += s[2] * 7 + 3[a];
    mid += 2; mid--; --mid; mid -= 1;
    char *c = (char *)mid;
    return r + *mid * 1000000 + (int)(c - (char *)a) * 5;
}
