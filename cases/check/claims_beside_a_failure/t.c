#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t n, i;
    __CPROVER_assume(n > 0 && n < 100 && i < n);
    char *p = malloc(n);
    memset(p, 7, n);
    assert(p[i] == 7);
    return p[n];
}
