#include <stdlib.h>

int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    if (kept)
        *kept = 1;
    return 0;
}
