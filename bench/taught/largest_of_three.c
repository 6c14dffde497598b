/* The largest of three numbers.
 * test first: 9 4 2
 * test second: 3 8 1
 * test third: 1 2 3
 * test falling: 1 7 6
 * test equal: 5 5 5
 * test negative: -3 -2 -9
 */
#include <stdio.h>

int main(void)
{
    int a, b, c;

    printf("Enter three numbers: ");
    scanf("%d%d%d", &a, &b, &c);
    if (a >= b && a >= c)
        printf("%d is the largest\n", a);
    else if (b >= a && b >= c)
        printf("%d is the largest\n", b);
    else
        printf("%d is the largest\n", c);
    return 0;
}
