#include <assert.h>

int nondet_int(void);
static int open, level;

void overflow(void) { assert(0); }

int main(void)
{
    int pressed = nondet_int(), inflow = nondet_int();
    if (pressed > 2)
        open = 1;
    if (inflow > 5)
        level = inflow;
    if (level > 6 && open)
        overflow();
    return 0;
}
