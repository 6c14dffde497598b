/* Swaps two numbers by pointers.
 * test two: 3 8
 * test same: 5 5
 * test zero: 0 1
 * test negative: -2 2
 */
#include <stdio.h>

void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int x, y;
    scanf("%d %d", &x, &y);
    printf("Before: x = %d, y = %d\n", x, y);
    swap(&x, &y);
    printf("After:  x = %d, y = %d\n", x, y);
    return 0;
}
