#include <stdio.h>

int main(void)
{
    int rows, i, j;
    printf("Rows: ");
    scanf("%d", &rows);
    for (i = 1; i <= rows; i++) {
        for (j = 0; j < rows - i; j++)
            putchar(' ');
        for (j = 0; j < i; j++)
            putchar('*');
        putchar('\n');
    }
    return 0;
}
