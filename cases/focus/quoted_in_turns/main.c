#include <assert.h>

short nondet_short(void);

/* What cannot be said over inputs is quoted: of which turn, or that it is of the last. */
int main(void) {
    short y = 0;
    for (int i = 0; i < 3; i++) {
        short x = nondet_short();
        __CPROVER_assume(x >= -8 && x <= 8);
        short old = y;
        y = (short)(y + (((x - y) * 3) >> 2));
        if (x > old)
            assert(y > old);
    }
    return 0;
}
