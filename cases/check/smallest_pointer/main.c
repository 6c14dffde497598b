/* One of each pair of switches must be on, whichever: NULL is preferred to an object, and the first element to others. */
#include <assert.h>

_Bool nondet_bool(void);

static int table[4];

int main(void)
{
    _Bool a = nondet_bool(), b = nondet_bool(), c = nondet_bool(), d = nondet_bool();
    int *maybe = a ? 0 : &table[2];
    int *perhaps = b ? &table[1] : 0;
    int *found = c ? &table[1] : &table[3];
    int *other = d ? &table[3] : &table[0];

    assert(a == b || c == d);
    return maybe == perhaps && found == other;
}
