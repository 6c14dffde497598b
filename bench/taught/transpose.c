/* Prints a matrix with rows and columns exchanged.
 * test wide: 2 3 1 2 3 4 5 6
 * test square: 2 2 1 2 3 4
 * test row: 1 4 9 8 7 6
 * test one: 1 1 5
 */
#include <stdio.h>
#define N 10

int main(void)
{
    int m[N][N];
    int rows, cols;
    scanf("%d%d", &rows, &cols);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            scanf("%d", &m[i][j]);
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++)
            printf("%4d", m[i][j]);
        printf("\n");
    }
    return 0;
}
