#include <assert.h>
int nondet_int(void);
int main(void) {
    int a = nondet_int(), b = nondet_int(), d = 0;
    if (a > 0) {
        d = 1;
        if (b != 7)
            d = 0;
    }
    assert(d <= 0);
    return 0;
}
