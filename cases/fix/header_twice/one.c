/* Both files have a copy of what the header defines. */
#include <assert.h>

#include "half.h"

int nondet_int(void);
int other_half(int n);

int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 100)
        return 0;
    assert(half(n) <= n);
    assert(other_half(n) <= n);
}
