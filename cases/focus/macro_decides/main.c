#include <assert.h>

/* What is decided is in the bodies of the macros, and is not what their uses say. */
#define VALID(x) if (!((x) >= 0 && (x) < 8)) rejected = 1
#define CHECK(c) do { if (!(c)) rejected = 1; } while (0)

int nondet_int(void);

int main(void) {
    int at = nondet_int(), size = nondet_int(), rejected = 0;
    __CPROVER_assume(at >= -2 && at <= 9 && size >= 0 && size <= 4);
    VALID(at);
    CHECK(at + size <= 9); /* bug: 8 */
    int end = at + size;
    if (!rejected)
        assert(end <= 8);
    return 0;
}
