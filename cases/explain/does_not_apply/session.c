#include <assert.h>
int nondet_int(void);
static int state;
static int open_(int m) { if (m < 0) return -1; state = 1; return m; }
static int session(int m, int n)
{
    int rc = open_(m);
    if (rc < 0)
        return rc;
    if (n > 3)
        return -3;
    state = 0;
    return 0;
}
int main(void)
{
    int m = nondet_int(), n = nondet_int();
    __CPROVER_assume(m >= -1 && m <= 1 && n >= 0 && n <= 5);
    int rc = session(m, n);
    assert(rc >= 0 || !state);
    return 0;
}
