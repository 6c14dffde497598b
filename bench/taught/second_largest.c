/* The second largest number of a list with different numbers.
 * test rising: 4 1 2 3 4
 * test falling: 4 4 3 2 1
 * test mixed: 5 3 9 1 7 5
 * test two: 2 6 8
 * test negative: 3 -5 -1 -3
 */
#include <stdio.h>

int main(void)
{
    int n, i, x, largest, second;

    scanf("%d", &n);
    scanf("%d %d", &largest, &second);
    if (second > largest) {
        int t = largest;
        largest = second;
        second = t;
    }
    for (i = 2; i < n; i++) {
        scanf("%d", &x);
        if (x > largest) {
            second = largest;
            largest = x;
        } else if (x > second) {
            second = x;
        }
    }
    printf("Largest: %d\n", largest);
    printf("Second: %d\n", second);
    return 0;
}
