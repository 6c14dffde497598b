/* A chess board.
 * test eight: 8
 * test three: 3
 * test one: 1
 * test none: 0
 */
#include <stdio.h>

int main(void)
{
    int size, row, col;
    printf("Size: ");
    scanf("%d", &size);
    for (row = 0; row < size; row++) {
        for (col = 0; col < size; col++) {
            if ((row + col) % 2 == 0)
                printf("X");
            else
                printf("_");
        }
        printf("\n");
    }
    return 0;
}
