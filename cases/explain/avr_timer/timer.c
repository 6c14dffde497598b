/* Milliseconds as microseconds: an int has 16 bits here, and 66 ms are too many. */
#include <assert.h>
#include <stdint.h>

uint8_t nondet_uint8_t(void);

static uint32_t microseconds(uint16_t ms)
{
    return ms * 1000;
}

int main(void)
{
    uint8_t ms = nondet_uint8_t();
    uint32_t us = microseconds(ms);
    assert(us / 1000 == ms);
    return 0;
}
