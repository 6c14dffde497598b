#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define BLOCKS 8

/* The blocks from one on, as bits. */
static unsigned mask(int first, int count)
{
    return ((1u << count) - 1u) | (unsigned)first; /* shifted was meant */
}

/* The first place for so many blocks, or -1. */
static int place(unsigned taken, int count)
{
    for (int first = 0; first + count <= BLOCKS; first++)
        if ((taken & mask(first, count)) == 0)
            return first;
    return -1;
}

int main(void)
{
    int taken = nondet_int(), count = nondet_int();
    int found;

    __CPROVER_assume(taken >= 0 && taken < 256 && count >= 1 && count <= 2);
    found = place((unsigned)taken, count);
    if (found == -1) {
        int run = 0;
        for (int i = 0; i < BLOCKS; i++) {
            run = taken >> i & 1 ? 0 : run + 1;
            assert(run < count);
        }
    } else {
        assert(found + count <= BLOCKS);
        for (int i = found; i < found + count; i++)
            assert((taken >> i & 1) == 0);
    }
}
