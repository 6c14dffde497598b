#include <assert.h>
int nondet_int(void);

static int heat, fan;

static void measure(int degrees)
{
    if (degrees < 18) {
        heat = 1;
        fan = 1;
    } else {
        fan = 0;
    }
}

int main(void)
{
    int morning = nondet_int(), noon = nondet_int();
    __CPROVER_assume(morning >= 15 && morning <= 27 && noon >= 15 && noon <= 27);
    measure(morning);
    measure(noon);
    assert(!heat || fan);
    return 0;
}
