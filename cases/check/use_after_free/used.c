#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    *p = 3;
    free(p);
    return *p;
}
