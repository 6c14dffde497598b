/* The compiled program is not given as much memory as this, which says nothing about the failing run. */
#include <assert.h>
#include <stdlib.h>

int nondet_int(void);

int main(void)
{
    int number = nondet_int();
    char *memory = malloc(6000000000u);
    memory[0] = 1;
    assert(number != memory[0]);
    return 0;
}
