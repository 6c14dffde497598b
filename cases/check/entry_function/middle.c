#include <assert.h>

struct range {
    short low, high;
};

int middle(const struct range *range, const char *name, unsigned char by)
{
    int result = (range->low + range->high) / by;
    if (range->low == 2 && range->high == 4 && name[0] == 'm' && name[1] == '\0')
        assert(result != 6);
    return result;
}
