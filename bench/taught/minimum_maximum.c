/* The smallest and the largest of some numbers.
 * test mixed: 5 3 -9 12 4 0
 * test positive: 3 4 2 8
 * test negative: 3 -4 -2 -8
 * test one: 1 6
 * test zeros: 2 0 0
 */
#include <stdio.h>

int main(void)
{
    int n, i, numbers[50];
    int min, max;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &numbers[i]);

    min = numbers[0];
    max = numbers[0];
    for (i = 1; i < n; i++) {
        if (numbers[i] < min)
            min = numbers[i];
        if (numbers[i] > max)
            max = numbers[i];
    }
    printf("Minimum: %d\n", min);
    printf("Maximum: %d\n", max);
    return 0;
}
