/* A pyramid of numbers.
 * test three: 3
 * test one: 1
 * test five: 5
 * test none: 0
 */
#include <stdio.h>

int main(void)
{
    int n, i, j;

    scanf("%d", &n);
    for (i = 1; i <= n; i++) {
        for (j = 0; j < n - i; j++)
            printf(" ");
        for (j = 1; j <= i; j++)
            printf("%d ", j);
        printf("\n");
    }
    return 0;
}
