#include <assert.h>

int nondet_int(void);

union word {
    int number;
    int *pointer;
};

int main(void)
{
    union word w;
    int where = nondet_int(), level = 5;
    if (where == 1)
        w.pointer = &level;
    else
        w.number = 3;
    if (where == 1)
        *w.pointer = 6;
    assert(level == 5);
    return 0;
}
