#include <assert.h>
int nondet_int(void);
int main(void) {
    int n = nondet_int(), e = nondet_int(), d = 0;
    __CPROVER_assume(e >= 0 && e <= 5 && n >= 0 && n <= 3);
    for (int i = 0; i < n; i++) {
        d++;
        if (i == e) continue;
        d += 2;
    }
    assert(d <= 0);
    return 0;
}
