// Tables of functions, functions that return and take functions.
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int sub(int a, int b) { return a - b; }
static op choose(char c) { switch (c) { case '+': return add; case '*': return &mul; default: return sub; } }
static int fold(op f, const int *v, int n, int s) { for (int i = 0; i < n; i++) s = (*f)(s, v[i]); return s; }
struct entry { char name; op run; };
int main(void) {
    int v[] = { 1, 2, 3, 4 };
    struct entry t[] = { { 'a', add }, { 'm', mul } };
    int (*(*get)(char))(int, int) = choose;
    return fold(add, v, 4, 0) + fold(get('*'), v, 4, 1) * 100 + fold(choose('-'), v, 4, 0) * 10000 + t[1].run(6, 7)
        + (t[0].run == add) * 1000000 + (choose('+') != choose('-')) * 2000000;
}
