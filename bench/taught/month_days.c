/* How many days a month has.
 * test january: 1 2023
 * test february: 2 2023
 * test leap: 2 2024
 * test april: 4 2023
 * test june: 6 1999
 * test wrong: 13 2000
 */
#include <stdio.h>

int main(void)
{
    int month, year, days;
    scanf("%d %d", &month, &year);
    switch (month) {
    case 4: case 6: case 9: case 11:
        days = 30;
        break;
    case 2:
        if (year % 4 == 0 && year % 100 != 0 || year % 400 == 0)
            days = 29;
        else
            days = 28;
        break;
    default:
        days = 31;
    }
    if (month < 1 || month > 12)
        printf("Invalid month\n");
    else
        printf("%d/%d has %d days\n", month, year, days);
    return 0;
}
