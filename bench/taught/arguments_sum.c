/* Adds the numbers on the command line.
 * test three [1 2 3]:
 * test none:
 * test one [42]:
 * test negative [-5 5 10]:
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    int i, total = 0;

    for (i = 1; i < argc; i++)
        total += atoi(argv[i]);
    printf("%d numbers, total %d\n", argc - 1, total);
    return 0;
}
