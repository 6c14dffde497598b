/* Shares of twelve. With nobody there it divides by zero before it can get the limits wrong. */
#include <assert.h>

int nondet_int(void);

int main(void)
{
    int limits[2] = { 3, 0 };
    int people = nondet_int();
    int share = 12 / people;
    assert(people < limits[1] || people >= limits[0]);
    return share;
}
