#include <assert.h>

unsigned nondet_uint(void);

static short hops[4096];

int main(void)
{
    unsigned from = nondet_uint(), to = nondet_uint();
    if (from >= 4096 || to >= 4096)
        return 0;
    hops[from] = 1;
    if (to > from)
        hops[to] = hops[from] + 1;
    else
        hops[to] = hops[from];
    assert(hops[to] == 1);
    return 0;
}
