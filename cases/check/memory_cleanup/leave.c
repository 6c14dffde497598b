/* What lives at a return is the affair of --memory-leak-check; what lives where the program is left, of --memory-cleanup-check. */
#include <stdlib.h>

int nondet_int(void);

int main(void)
{
    int *box = malloc(sizeof(int));
    if (nondet_int() == 7)
        exit(1);
    return box == 0;
}
