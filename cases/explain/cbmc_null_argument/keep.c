/* In CBMC's run one argument is NULL and another points to a character. */
#include <assert.h>

int keep(const int *limit, const char *name, int n)
{
    if (limit == 0 && name != 0 && name[0] == 'c')
        assert(n != 3);
    return n;
}
