/* Points become grades.
 * test good: 95
 * test limit: 80
 * test middle: 71
 * test poor: 60
 * test fail: 12
 * test too_many: 101
 */
#include <stdio.h>

int main(void)
{
    int points;

    printf("Enter points: ");
    scanf("%d", &points);

    if (points < 0 || points > 100)
        printf("Invalid points\n");
    else if (points >= 90)
        printf("Grade: A\n");
    else if (points >= 80)
        printf("Grade: B\n");
    else if (points >= 70)
        printf("Grade: C\n");
    else if (points >= 60)
        printf("Grade: D\n");
    else
        printf("Grade: F\n");

    return 0;
}
