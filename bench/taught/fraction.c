/* Prints a fraction in its lowest terms.
 * test usual: 6 8
 * test lowest: 3 7
 * test whole: 8 4
 * test same: 5 5
 * test zero: 0 4
 */
#include <stdio.h>

int main(void)
{
    int a, b, x, y, t;

    scanf("%d %d", &a, &b);
    x = a;
    y = b;
    while (y != 0) {
        t = x % y;
        x = y;
        y = t;
    }
    printf("%d/%d = ", a, b);
    a /= x;
    b /= x;
    if (b == 1)
        printf("%d\n", a);
    else
        printf("%d/%d\n", a, b);
    return 0;
}
