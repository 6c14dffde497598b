#include <assert.h>

int nondet_int(void);

/* A truth in the table is that of what `?:`, `||` and `&&` ask for, not of the line. */
int main(void) {
    int x = nondet_int(), t[2] = { 3, 7 }, neg = 0;
    __CPROVER_assume(x >= -4 && x <= 4);
    if (x < 0) neg = 1;
    int y = neg ? -x : x;
    int far = x > 3 || t[neg] > 5;
    __CPROVER_assume(y < 3 || t[y - 3] == 3);
    if (y < 4) for (int i = 0; i < 1; i++) if (far && neg) y++;
    assert(!far);
    return 0;
}
