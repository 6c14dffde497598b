/* The mean of two bytes, computed in a byte. */
#include <assert.h>

unsigned char nondet_uchar(void);
int nondet_int(void);

int main(void)
{
    unsigned char a = nondet_uchar(), b = nondet_uchar();
    int scale = nondet_int();
    unsigned char mean = (unsigned char)(a + b) / 2;
    if (scale > 1)
        assert(mean >= a || mean >= b);
}
