#include <assert.h>
#include <stdlib.h>

int nondet_int(void);

/* Macros that are only other names: what they call is replayed. */
#define s_malloc own_malloc
#define own_malloc malloc
#define any nondet_int

int main(void)
{
    char *p = s_malloc(4);
    if (!p)
        return 1;
    assert(p[1] != 5 || any() != 7);
    return 0;
}
