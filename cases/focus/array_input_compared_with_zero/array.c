#include <assert.h>

int nondet_int(void);

int main(void)
{
    int in[2], k;
    in[0] = nondet_int();
    k = nondet_int();
    if (in[0] == 0)
        k = 5;
    assert(k != 3);
}
