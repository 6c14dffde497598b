#include <stdlib.h>
int main(void)
{
    int n;
    char *p = malloc(10);
    if (n > 3)
        free(p);
    if (n == 2)
        exit(1);
    return 0;
}
