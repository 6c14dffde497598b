#include <assert.h>

int nondet_int(void);
_Bool nondet_bool(void);

int main(void)
{
    int hours = nondet_int(), fee = 0;
    __CPROVER_assume(hours >= 0 && hours <= 4);
    if (nondet_int() > 3)
        fee += hours;
    if (nondet_bool() && hours != 2)
        fee++;
    assert(fee < 4);
    return 0;
}
