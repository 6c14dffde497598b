#include <assert.h>
#include <stddef.h>
volatile unsigned char pending;
int seen;
/* Handlers as AVR, MSP430, ARM and RISC-V write them: nothing calls them. */
void __attribute__((interrupt)) on_timer(void)
{
    pending = 1;
    seen++;
}
__attribute__((__interrupt__(9), used)) void on_port(void)
{
    seen++;
}
[[gnu::interrupt("IRQ")]] void on_irq(void)
{
    seen++;
}
int interrupt(int interrupt)
{
    return interrupt;
}
int main(void)
{
    assert(seen == 0);
    assert(interrupt(3) == 3);
    assert(sizeof(wchar_t) == 4);
}
