#include <assert.h>
int nondet_int(void);
int main(void) {
    int a = nondet_int(), b = nondet_int();
    __CPROVER_assume(a >= 0 && a < 16 && b > -5 && b < 5);
    int r = b * 2;
    assert((a & 1) == 0 || r > 0);
    return 0;
}
