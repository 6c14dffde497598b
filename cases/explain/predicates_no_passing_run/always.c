#include <assert.h>

int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    int even = n & ~1;

    assert(even % 2 == 1 || even % 2 == -1);
}
