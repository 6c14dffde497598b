/* A bill for electricity: the first 100 units are cheaper.
 * test small: 50
 * test limit: 100
 * test more: 250
 * test none: 0
 */
#include <stdio.h>

int main(void)
{
    int units;
    double cost;

    scanf("%d", &units);
    if (units <= 100)
        cost = units * 0.15;
    else
        cost = 100 * 0.15 + (units - 100) * 0.25;
    cost = cost + 5;
    printf("Units used: %d\n", units);
    printf("Amount due: $%.2f\n", cost);
    return 0;
}
