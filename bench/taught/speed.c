/* An average speed.
 * test usual: 100 2
 * test slow: 5 1.25
 * test fast: 300 1
 * test none: 0 3
 */
#include <stdio.h>

int main(void)
{
    double km, hours;
    printf("Distance in km: ");
    scanf("%lf", &km);
    printf("Time in hours: ");
    scanf("%lf", &hours);
    printf("Speed: %.1lf km/h\n", km / hours);
    return 0;
}
