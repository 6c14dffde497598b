/* Leap years.
 * test usual: 2024
 * test common: 2023
 * test century: 1900
 * test four_hundred: 2000
 * test early: 4
 * test next_century: 2100
 */
#include <stdio.h>

int is_leap(int year)
{
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0;
}

int main(void)
{
    int year;
    printf("Year: ");
    scanf("%d", &year);
    if (is_leap(year))
        printf("%d is a leap year.\n", year);
    else
        printf("%d is not a leap year.\n", year);
    return 0;
}
