#include <assert.h>

unsigned char nondet_uchar(void);
void __CPROVER_assume(int);

static unsigned char sum(const unsigned char *bytes, int count)
{
    unsigned char sum = 1; /* 0 was meant */
    for (int i = 0; i < count; i++)
        sum ^= bytes[i];
    return sum;
}

int main(void)
{
    unsigned char bytes[2] = {nondet_uchar(), nondet_uchar()};
    unsigned char noise;

    assert(sum(bytes, 2) == (bytes[0] ^ bytes[1]));

    noise = nondet_uchar();
    __CPROVER_assume(noise != 0);
    bytes[0] ^= noise;
    assert(sum(bytes, 2) != (bytes[0] ^ bytes[1] ^ noise));
}
