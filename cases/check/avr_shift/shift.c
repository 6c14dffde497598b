/* A flag in bit 15 is the sign of an int on AVR, and there is no bit 16. */
#include <stdint.h>

uint8_t nondet_uint8_t(void);

uint32_t flags;

int main(void)
{
    uint8_t bit = nondet_uint8_t();
    if (bit <= 14)
        flags |= 1 << bit;
    else if (bit == 15)
        flags |= 1u << bit;
    else if (bit < 32)
        flags |= 1UL << bit;
    if (bit == 15)
        flags |= 1 << bit;
    if (bit == 16)
        flags |= 1 << bit;
    return 0;
}
