/* The loop may go on beyond the bound; the early return still only decides whether the check applies. */
#include <assert.h>

unsigned nondet_unsigned(void);

static unsigned count(unsigned bits)
{
    unsigned n = 0;

    while (bits) {
        n += bits & 1;
        bits >>= 1;
    }
    return n;
}

int main(void)
{
    unsigned flags = nondet_unsigned();

    if (flags >= 8)
        return 0;
    assert(count(flags) != 2);
    return 0;
}
