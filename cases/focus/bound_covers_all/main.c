#include <assert.h>

int nondet_int(void);

/* The bound is larger than what any run needs. */
int main(void) {
    int n = nondet_int(), total = 0;
    __CPROVER_assume(n >= 1 && n <= 3);
    for (int i = 0; i < n; i++)
        total += i;
    assert(total < 3);
    return 0;
}
