#include <assert.h>

unsigned nondet_unsigned(void);

static void add(int *counter) { ++*counter; }

int main(void)
{
    unsigned mask = nondet_unsigned();
    __CPROVER_assume(mask < 8);
    int count = 0;
    if (mask & 1)
        add(&count);
    if (mask & 4)
        add(&count);
    assert(!(mask & 1) || count == 1);
    return 0;
}
