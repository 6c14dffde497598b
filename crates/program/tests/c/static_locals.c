// One object for all calls, initialised once.
static int next(void) { static int n = 41; return ++n; }
static int *slot(int i) { static int v[3] = { 7, 8, 9 }; return &v[i]; }
int counter;
static int twice(void) { static int first = 1; if (first) { first = 0; return 100; } return counter++; }
int main(void) {
    int a = next(), b = next();
    *slot(1) += a;
    int c = twice() + twice() + twice();
    return a + b * 100 + *slot(1) * 10000 + c;
}
