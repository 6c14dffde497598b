// Nested calls and their order through values.
static int add3(int a, int b, int c) { return a + 2 * b + 3 * c; }
static int id(int x) { return x; }
static int apply(int (*f)(int), int x) { return f(f(x)); }
static int inc(int x) { return x + 1; }
int main(void) { return add3(id(1), add3(1, 2, 3), apply(inc, id(5))) + add3(add3(1, 1, 1), 0, 0) * 100; }
