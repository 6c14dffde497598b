/* A door that must not be pushed when it is open. Nobody looks before pushing. */
#include <assert.h>

int nondet_int(void);
_Bool nondet_bool(void);

int opened;

void push(int force)
{
    assert(opened == 0);
    if (force > 9)
        opened = 1;
}

int main(void)
{
    int rounds = 0;
    while (rounds < 3) {
        int force = nondet_int();
        if (nondet_bool())
            push(force);
        rounds++;
    }
    return 0;
}
