/* Reverses a list in place.
 * test four: 4 1 2 3 4
 * test three: 3 1 2 3
 * test one: 1 9
 * test two: 2 5 6
 * test none: 0
 */
#include <stdio.h>

int main(void)
{
    int a[50], n, i, t;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);
    for (i = 0; i < n / 2; i++) {
        t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
    for (i = 0; i < n; i++)
        printf("%d\n", a[i]);
    return 0;
}
