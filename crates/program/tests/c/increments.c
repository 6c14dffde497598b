// Before and after, on pointers, members and elements.
struct s { int n; int *p; };
int main(void) {
    int a[4] = { 1, 2, 3, 4 }, i = 0;
    struct s s = { 5, a };
    int x = a[i++] + a[i++] * 10;
    int y = *s.p++ + (*s.p)++ * 100 + ++*s.p * 1000;
    int z = s.n-- - --s.n;
    a[++i]--;
    double d = 1.5; d++; --d;
    char c = 127 - 1; c++;
    return x + y + z * 10000 + a[1] * 100000 + a[3] * 1000000 + i + (int)(d * 2) + c;
}
