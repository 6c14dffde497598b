/* The name of a day.
 * test monday: 1
 * test saturday: 6
 * test sunday: 7
 * test wrong: 8
 * test wednesday: 3
 */
#include <stdio.h>

int main(void)
{
    int day;
    scanf("%d", &day);
    switch (day) {
        case 1: printf("Monday\n"); break;
        case 2: printf("Tuesday\n"); break;
        case 3: printf("Wednesday\n"); break;
        case 4: printf("Thursday\n"); break;
        case 5: printf("Friday\n"); break;
        case 6: printf("Saturday\n"); break;
        case 7: printf("Sunday\n"); break;
        default: printf("No such day\n");
    }
    return 0;
}
