// Order, values, and types of ?: with mixed operands.
static int calls;
static int f(int x) { calls = calls * 10 + x; return x; }
int main(void) {
    int a = (f(1), f(2), f(3));
    int b = f(0) ? f(4) : f(5);
    int c = a > 2 ? b > 9 ? 1 : 2 : 3;
    int wide = sizeof(1 ? 1 : 1LL);
    int neg = (1 ? -1 : 0u) > 0;
    int *p = a ? &a : 0;
    a = (*p = 8, *p + 1);
    int d = 0 ?: 6;
    return a + b * 10 + c * 100 + wide * 1000 + neg * 10000 + d * 100000 + calls;
}
