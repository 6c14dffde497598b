/* A histogram of throws, given until 0.
 * test some: 1 3 3 6 6 6 0
 * test none: 0
 * test one: 4 0
 * test all: 1 2 3 4 5 6 0
 */
#include <stdio.h>

int main(void)
{
    int count[7] = {0}, throw, i, k;

    while (scanf("%d", &throw) == 1 && throw != 0)
        if (throw >= 1 && throw <= 6)
            count[throw]++;
    for (i = 1; i <= 6; i++) {
        printf("%d |", i);
        for (k = 0; k < count[i]; k++)
            printf("*");
        printf(" (%d)\n", count[i]);
    }
    return 0;
}
