/* Searches a sorted list.
 * test middle: 5 1 3 5 7 9 5
 * test first: 5 1 3 5 7 9 1
 * test last: 5 1 3 5 7 9 9
 * test missing: 5 1 3 5 7 9 4
 * test one: 1 6 6
 * test larger: 4 2 4 6 8 10
 */
#include <stdio.h>

int search(const int a[], int n, int x)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == x)
            return middle;
        if (a[middle] < x)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int n, a[50], x;
    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &a[i]);
    scanf("%d", &x);
    printf("Index: %d\n", search(a, n, x));
    return 0;
}
