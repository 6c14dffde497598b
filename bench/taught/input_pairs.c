/* Adds pairs of numbers until the end of the input.
 * test two: 1 2\n3 4
 * test one: 10 -10
 * test none:
 * test odd: 1 2 3
 */
#include <stdio.h>

int main(void)
{
    int a, b, line = 0;

    while (scanf("%d %d", &a, &b) == 2) {
        line++;
        printf("%d: %d + %d = %d\n", line, a, b, a + b);
    }
    printf("%d pairs\n", line);
    return 0;
}
