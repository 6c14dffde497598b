/* Is a date possible? Every month has 31 days here, but for four, and february has 28.
 * test yes: 15 6
 * test no: 31 4
 * test february: 29 2
 * test month: 1 13
 * test zero: 0 5
 * test last: 31 12
 */
#include <stdio.h>

int valid(int day, int month)
{
    if (month < 1 || month > 12)
        return 0;
    if (day < 1 || day > 31)
        return 0;
    if (month == 2)
        return day <= 28;
    if (month == 4 || month == 6 || month == 9 || month == 11)
        return day <= 30;
    return 1;
}

int main(void)
{
    int d, m;
    scanf("%d %d", &d, &m);
    printf("%d.%d. is %s\n", d, m, valid(d, m) ? "valid" : "not valid");
    return 0;
}
