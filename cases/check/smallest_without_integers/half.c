// No input and no variable is an integer: nothing is said of integers.
#include <assert.h>

double nondet_double(void);

int main(void) {
    double x = nondet_double();
    assert(x / 2 < x);
}
