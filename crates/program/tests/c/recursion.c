// Factorial, Ackermann, mutual recursion, a tree.
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int hanoi(int n, int a, int b, int c) { return n ? hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a) : 0; }
static int depth(int n, int *sum) { int local = n; if (n > 0) depth(n - 1, sum); *sum += local; return local; }
int main(void) {
    int s = 0;
    depth(20, &s);
    return fact(10) + ack(2, 3) * 7 + even(10) * 3 + odd(7) * 5 + hanoi(6, 1, 2, 3) * 11 + s;
}
