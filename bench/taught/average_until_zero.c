/* The average of positive numbers until 0.
 * test three: 2 4 9 0
 * test one: 5 0
 * test none: 0
 * test same: 3 3 3 3 0
 */
#include <stdio.h>

int main(void)
{
    int x, count = 0, sum = 0;

    scanf("%d", &x);
    while (x != 0) {
        sum += x;
        count++;
        scanf("%d", &x);
    }
    if (count == 0)
        printf("No numbers were entered.\n");
    else
        printf("Average of %d numbers: %.2f\n", count, (float)sum / count);
    return 0;
}
