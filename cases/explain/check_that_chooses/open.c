#include <assert.h>
int nondet_int(void);
static int err;
static int step(int x) { if (x < 0) { err = 1; return 0; } return x / 2; }
static int open_(int m, int **out) {
    static int buf;
    if (m == 3) return -1;
    *out = &buf;
    return 0;
}
int main(void) {
    int m = nondet_int();
    int v = nondet_int();
    int *p = 0;
    int rc = -1;
    __CPROVER_assume(m >= 0 && m < 5 && v > -20 && v < 20);
    if (open_(m, &p) < 0)
        goto out;
    *p = step(v) + step(m - 1);
    if (err)
        goto cleanup;
    if (*p > 5)
        goto out;
    rc = *p;
cleanup:
    *p = 0;
out:
    assert(rc == -1 ? (err || !p || *p == 0) : *p == 0);
    return rc;
}
