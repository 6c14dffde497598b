// Small factors whose product is too large are hard to find: the search for them ends by counted effort, not by the clock.
#include <assert.h>

int nondet_int(void);

int main(void) {
    int a = nondet_int(), b = nondet_int(), product;
    _Bool overflows = __builtin_mul_overflow(a, b, &product);
    if (!overflows)
        assert((long long)a * b == product);
    assert(overflows == __builtin_mul_overflow_p(a, b, 0));
    assert(!overflows);
    return 0;
}
