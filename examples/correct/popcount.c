/*
 * The number of ones in sixteen bits, counted bit by bit and by adding ever
 * wider fields side by side. Nothing is wrong: both agree on every input.
 *
 *     nearmiss check examples/correct/popcount.c
 */
#include <assert.h>

unsigned short nondet_ushort(void);

static unsigned ones_one_by_one(unsigned bits)
{
    unsigned ones = 0;

    for (int i = 0; i < 16; i++)
        ones += (bits >> i) & 1u;
    return ones;
}

static unsigned ones_side_by_side(unsigned bits)
{
    bits = (bits & 0x5555u) + ((bits >> 1) & 0x5555u);
    bits = (bits & 0x3333u) + ((bits >> 2) & 0x3333u);
    bits = (bits & 0x0f0fu) + ((bits >> 4) & 0x0f0fu);
    return (bits & 0x001fu) + (bits >> 8);
}

int main(void)
{
    unsigned bits = nondet_ushort();

    assert(ones_one_by_one(bits) == ones_side_by_side(bits));
}
