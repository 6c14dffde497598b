#include <assert.h>
#include <stdlib.h>
#include <string.h>

unsigned nondet_uint(void);

int main(void)
{
    unsigned size = nondet_uint(), at = nondet_uint(), other = nondet_uint();
    if (size > 1u << 20 || at >= size || other >= size)
        return 0;
    unsigned char *mark = malloc(size);
    if (!mark)
        return 0;
    memset(mark, 1, size);
    mark[at] = 0;
    assert(mark[other] == 1 || at == other);
    unsigned char *twice = malloc(2 * size);
    if (!twice) {
        free(mark);
        return 0;
    }
    memcpy(twice + size, mark, size);
    assert(twice[size + other] == mark[other]);
    free(mark);
    free(twice);
    return 0;
}
