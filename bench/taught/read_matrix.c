/* The sums of the rows and columns of a square.
 * test two: 2 1 2 3 4
 * test three: 3 1 0 0 0 1 0 0 0 1
 * test one: 1 8
 * test negative: 2 -1 1 1 -1
 */
#include <stdio.h>

int main(void)
{
    int n, i, j, m[8][8], sum;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            scanf("%d", &m[i][j]);
    for (i = 0; i < n; i++) {
        sum = 0;
        for (j = 0; j < n; j++)
            sum += m[i][j];
        printf("Row %d: %d\n", i + 1, sum);
    }
    for (j = 0; j < n; j++) {
        sum = 0;
        for (i = 0; i < n; i++)
            sum += m[i][j];
        printf("Column %d: %d\n", j + 1, sum);
    }
    return 0;
}
