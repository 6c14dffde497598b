/* A timer of ticks that wrap round. */
#include <assert.h>
#include <stdint.h>

uint32_t nondet_ticks(void);

static int is_over(uint32_t now, uint32_t end)
{
    return now >= end;
}

int main(void)
{
    uint32_t start = nondet_ticks(), length = nondet_ticks() % 1000, later = nondet_ticks() % 1000;
    int over = is_over(start + later, start + length);
    assert(over == (later >= length));
    return 0;
}
