/* A multiplication table.
 * test three: 3
 * test one: 1
 * test none: 0
 * test ten: 10
 */
#include <stdio.h>

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++)
            printf("%4d", i * j);
        printf("\n");
    }
    return 0;
}
