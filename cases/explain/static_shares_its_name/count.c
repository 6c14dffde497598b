#include <assert.h>

int nondet_int(void);

static int tick(int up)
{
    static int n;
    n += up ? 2 : -1;
    return n;
}

static int twice(int v)
{
    int n = v * 2;
    return n + tick(v > 1);
}

int main(void)
{
    int p = nondet_int(), q = nondet_int(), n = 0;
    __CPROVER_assume(p >= 0 && p <= 3 && q >= 0 && q <= 3);
    n += twice(p);
    n -= twice(q);
    assert(n != 3);
    return 0;
}
