#include <assert.h>
int nondet_int(void);

static int alarm;

int main(void)
{
    int pressure = nondet_int();
    if (pressure > 7)
        alarm = pressure;
    assert(alarm <= 5);
    return 0;
}
