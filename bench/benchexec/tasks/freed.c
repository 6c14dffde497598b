/* What is read was freed before. */
#include <stdlib.h>

int main(void) {
    int *number = malloc(sizeof *number);
    if (!number)
        return 0;
    *number = 3;
    free(number);
    return *number;
}
