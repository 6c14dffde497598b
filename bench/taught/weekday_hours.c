/* Working hours of five days, and their total.
 * test usual: 8 8 8 8 6
 * test zero: 0 0 0 0 0
 * test halves: 7.5 8 7.5 8 4.5
 * test long: 10 11 12 10 9
 */
#include <stdio.h>

int main(void)
{
    const char *days[] = {"Mon", "Tue", "Wed", "Thu", "Fri"};
    float hours, total = 0;
    int i;

    for (i = 0; i < 5; i++) {
        scanf("%f", &hours);
        printf("%s: %4.1f\n", days[i], hours);
        total += hours;
    }
    printf("Total: %.1f hours\n", total);
    if (total > 40)
        printf("Overtime: %.1f hours\n", total - 40);
    return 0;
}
