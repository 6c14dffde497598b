#include <assert.h>

int nondet_int(void);

/* Whoever comes to the check fails it: the limits are the wrong way round. */
int main(void)
{
    int amount = nondet_int();

    if (amount < 1 || amount > 99)
        return 1;
    assert(amount < 1 || amount > 99);
    return 0;
}
