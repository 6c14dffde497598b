#include <stdlib.h>

size_t nondet_size(void);

int main(void)
{
    size_t size = nondet_size();
    __CPROVER_assume(size > (1ul << 40));
    char *block = malloc(size);
    __CPROVER_assert(block == 0, "nothing is that large");
    return 0;
}
