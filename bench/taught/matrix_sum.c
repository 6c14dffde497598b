/* Adds two matrices.
 * test small: 2 2 1 2 3 4 5 6 7 8
 * test wide: 1 3 1 2 3 10 20 30
 * test high: 3 1 1 2 3 4 5 6
 * test one: 1 1 4 5
 */
#include <stdio.h>

int main(void)
{
    int r, c, i, j;
    int a[10][10], b[10][10];

    scanf("%d %d", &r, &c);
    for (i = 0; i < r; i++)
        for (j = 0; j < c; j++)
            scanf("%d", &a[i][j]);
    for (i = 0; i < r; i++)
        for (j = 0; j < c; j++)
            scanf("%d", &b[i][j]);

    for (i = 0; i < r; i++) {
        for (j = 0; j < c; j++)
            printf("%d ", a[i][j] + b[i][j]);
        printf("\n");
    }
    return 0;
}
