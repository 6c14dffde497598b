/* A run by hand: of `extra` it says NULL, of `base` that it points to its own object, of `tax` only what it points to. */
#include <assert.h>

int price(const int *base, const int *extra, const int *tax)
{
    int sum = 0;
    if (base)
        sum = *base & 15;
    if (extra)
        sum = sum + (*extra & 15);
    if (tax)
        sum = sum + (*tax & 15);
    assert(sum != 8);
    return sum;
}
