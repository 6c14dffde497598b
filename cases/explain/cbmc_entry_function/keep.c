/* A buffer with a counter; `keep` forgets that memory from malloc holds anything. */
#include <assert.h>
#include <stdlib.h>

struct counter { int seen; unsigned char step; };

int keep(struct counter *c, const char *name, int n)
{
    unsigned char *last = malloc(2);
    assert(n != 12);
    if (c->seen == n && name[0] == 'k')
        c->seen = c->seen + last[1];
    assert(c->seen <= n);
    return c->seen;
}
