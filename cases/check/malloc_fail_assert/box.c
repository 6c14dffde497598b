#include <stdlib.h>

int main(void)
{
    int *box = malloc(sizeof(int));
    *box = 1;
    free(box);
    return 0;
}
