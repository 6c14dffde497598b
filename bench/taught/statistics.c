/* Mean and deviation of some numbers; nothing for none.
 * test four: 4 1 2 3 4
 * test same: 3 5 5 5
 * test one: 1 2.5
 * test none: 0
 * test negative: 2 -1 1
 */
#include <stdio.h>
#include <math.h>

int main(void)
{
    int n;
    double x[100], sum = 0, squares = 0, mean;

    scanf("%d", &n);
    if (n == 0) {
        printf("No numbers\n");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        scanf("%lf", &x[i]);
        sum += x[i];
    }
    mean = sum / n;
    for (int i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    printf("Mean: %.3f\n", mean);
    printf("Deviation: %.3f\n", sqrt(squares / n));
    return 0;
}
