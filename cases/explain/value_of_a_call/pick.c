#include <assert.h>

int nondet_int(void);

static int pick(int wanted, int least)
{
    if (wanted > least)
        return wanted - least;
    return least;
}

int main(void)
{
    int wanted = nondet_int();
    __CPROVER_assume(wanted >= -4 && wanted <= 4);
    assert(2 != pick(wanted, 0));
    return 0;
}
