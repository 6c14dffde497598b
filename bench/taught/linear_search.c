/* Looks for a number in a list.
 * test found: 5 4 8 15 16 23 15
 * test first: 3 1 2 3 1
 * test last: 3 1 2 3 3
 * test missing: 4 1 2 3 4 9
 * test twice: 4 7 5 7 5 7
 */
#include <stdio.h>

int find(int list[], int n, int wanted)
{
    for (int i = 0; i < n; i++) {
        if (list[i] == wanted)
            return i;
    }
    return -1;
}

int main(void)
{
    int list[100], n, wanted, where;

    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        scanf("%d", &list[i]);
    scanf("%d", &wanted);
    where = find(list, n, wanted);
    if (where == -1)
        printf("%d not found\n", wanted);
    else
        printf("%d found at position %d\n", wanted, where + 1);
    return 0;
}
