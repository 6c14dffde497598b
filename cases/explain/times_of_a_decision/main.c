#include <assert.h>

int nondet_int(void);

/* Both runs decide `k == 0` and the loop both ways: which time is meant has to be said. */
int main(void) {
    int step = nondet_int(), k = 3, hit = 0, tries = 0;
    __CPROVER_assume(step >= 0 && step <= 3);
    while (tries < 6 && !hit) {
        k = (k * 5 + step) % 8;
        if (k == 0)
            hit = 1;
        tries++;
    }
    assert(tries < 4);
    return 0;
}
