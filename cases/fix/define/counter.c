/* A counter of four bits: the mask of both directions is too narrow. */
#include <assert.h>

#define MASK 7

unsigned nondet_uint(void);

static unsigned next(unsigned n)
{
    return (n + 1) & MASK;
}

static unsigned before(unsigned n)
{
    return (n - 1) & MASK;
}

int main(void)
{
    unsigned n = nondet_uint() % 16;
    assert(before(next(n)) == n && next(before(n)) == n);
}
