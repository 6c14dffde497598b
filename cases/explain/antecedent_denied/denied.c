#include <assert.h>
int nondet_int(void);
int main(void) {
    int a = nondet_int(), b = nondet_int(), c = nondet_int();
    __CPROVER_assume(a > -9 && a < 9 && b > -9 && b < 9 && c > -9 && c < 9);
    int r = c - 1;
    assert(!(a + 1 > b) || r > 3);
    return 0;
}
