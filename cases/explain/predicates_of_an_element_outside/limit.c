#include <assert.h>

int nondet_int(void);

static int limit[3] = {5, 7, 9};

// -1 means that there is no limit.
int main(void)
{
    int k = nondet_int();
    __CPROVER_assume(k == -1 || k == 2);
    int most = 0;
    if (k >= 0)
        most = limit[k];
    assert(most < 9);
}
