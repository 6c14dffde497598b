#include <assert.h>
int nondet_int(void);
static int fib(int n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
int main(void) {
    int k = nondet_int();
    __CPROVER_assume(k >= 0 && k < 5);
    int f = fib(k);
    assert(f != 3);
    return 0;
}
