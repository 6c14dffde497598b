/* `want[k] += v` differs, since it writes to another place; what matters is k. */
#include <assert.h>
int nondet_int(void);
static int hits[2], want[2];
static void first(int v) { hits[0] += v; }
static void second(int v) { hits[0] += v; }
static void (*const count[])(int) = { first, second };
int main(void)
{
    int n = nondet_int();
    __CPROVER_assume(n >= 0 && n <= 2);
    for (int i = 0; i < n; i++) {
        int k = nondet_int(), v = nondet_int();
        __CPROVER_assume(k >= 0 && k < 2 && v >= 0 && v <= 2);
        count[k](v);
        want[k] += v;
    }
    for (int k = 0; k < 2; k++)
        assert(hits[k] == want[k]);
    return 0;
}
