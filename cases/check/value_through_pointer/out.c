/* x is written through a pointer: its value before that must not stand at the claim. */
#include <assert.h>

int nondet_int(void);

static void read_value(int *value)
{
    *value = nondet_int();
}

int main(void)
{
    int x = 0;

    read_value(&x);
    assert(x < 50);
}
