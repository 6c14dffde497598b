/* Converts kilometres to miles or miles to kilometres.
 * test km: 10 k
 * test miles: 10 m
 * test zero: 0 k
 * test unknown: 5 x
 */
#include <stdio.h>

#define KM_PER_MILE 1.609

int main(void)
{
    float value;
    char unit;

    scanf("%f %c", &value, &unit);
    if (unit == 'k')
        printf("%.2f km = %.2f miles\n", value, value / KM_PER_MILE);
    else if (unit == 'm')
        printf("%.2f miles = %.2f km\n", value, value * KM_PER_MILE);
    else
        printf("Unknown unit\n");
    return 0;
}
