/* Reads a count and that many numbers and prints their sum.
 * test three: 3 10 20 30
 * test one: 1 7
 * test none: 0
 * test negative: 4 -5 5 -8 1
 */
#include <stdio.h>

int main(void)
{
    int n, i, x;
    int sum = 0;

    printf("How many numbers? ");
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%d", &x);
        sum += x;
    }
    printf("\nSum: %d\n", sum);
    return 0;
}
