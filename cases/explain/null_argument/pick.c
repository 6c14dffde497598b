/* Of two limits the one that is there counts; where both are NULL there is none. */
#include <assert.h>

int pick(const int *low, const int *high, int x)
{
    int limit = 10;
    if (low)
        limit = *low & 3;
    else if (high)
        limit = *high & 3;
    assert(limit < 4 || x < limit);
    return limit;
}
