#include <assert.h>

/* What is decided is in the bodies of the macros, and is not what their uses say. */
#define CHECK(c) do { if (!(c)) bad++; } while (0)
#define UNLESS(c) if (!(c))
#define WITHIN(i, n) ((i) >= 0 && t[i] < (n))
#define CLAMP(x) if (!((x) >= 0)) x = 0; else if (!((x) <= 7)) x = 7

int nondet_int(void);
static int bad, t[4] = { 1, 2, 3, 4 };

int main(void) {
    int x = nondet_int(), i = nondet_int(), more = 0;
    __CPROVER_assume(x >= -9 && x <= 9 && i >= -1 && i <= 3);
    UNLESS(x < 5)
        more = 1;
    if (WITHIN(i, 3))
        more++;
    CLAMP(x);
    CHECK(x + more <= 7);
    assert(bad == 0);
    return 0;
}
