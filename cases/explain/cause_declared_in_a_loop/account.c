/* `out` is gone behind the loop: it has one name, and each relation is told once. */
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int saved = 1, before = 0;
    for (int i = 0; i < 3; i++) {
        int end = nondet_int(), out = nondet_int();
        __CPROVER_assume(end >= 0 && end <= 1);
        __CPROVER_assume(out >= 0 && out <= 2);
        before = saved;
        saved = saved - out;
        if (end)
            break;
    }
    assert(saved >= 0);
    return 0;
}
