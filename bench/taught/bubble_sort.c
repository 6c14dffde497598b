/* Sorts numbers with bubble sort.
 * test mixed: 5 5 3 9 1 4
 * test sorted: 3 1 2 3
 * test reversed: 4 4 3 2 1
 * test one: 1 42
 * test same: 3 7 7 7
 */
#include <stdio.h>

#define MAX 100

int main(void)
{
    int a[MAX], n, i, j, temp;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &a[i]);

    for (i = 0; i < n - 1; i++)
        for (j = 0; j < n - 1 - i; j++)
            if (a[j] > a[j + 1]) {
                temp = a[j];
                a[j] = a[j + 1];
                a[j + 1] = temp;
            }

    for (i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
