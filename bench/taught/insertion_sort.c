/* Sorts with insertion sort and prints every step.
 * test four: 4 3 1 4 2
 * test sorted: 3 1 2 3
 * test two: 2 2 1
 * test zeros: 3 0 -1 0
 */
#include <stdio.h>

void print(int a[], int n)
{
    int i;
    for (i = 0; i < n; i++)
        printf(" %d", a[i]);
    printf("\n");
}

int main(void)
{
    int a[20], n, i, j, x;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);
    for (i = 1; i < n; i++) {
        x = a[i];
        for (j = i; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
        print(a, n);
    }
    return 0;
}
