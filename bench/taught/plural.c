/* One apple, two apples.
 * test two: 2
 * test one: 1
 * test none: 0
 * test many: 100
 */
#include <stdio.h>

int main(void)
{
    int apples;

    scanf("%d", &apples);
    if (apples == 1)
        printf("You have 1 apple.\n");
    else if (apples == 0)
        printf("You have no apples.\n");
    else
        printf("You have %d apples.\n", apples);
    return 0;
}
