/* Squares and cubes under a headline.
 * test three: 3
 * test none: 0
 * test ten: 10
 * test one: 1
 */
#include <stdio.h>

int main(void)
{
    int n, i;
    scanf("%d", &n);
    printf("n\tn^2\tn^3\n");
    for (i = 1; i <= n; i++)
        printf("%d\t%d\t%d\n", i, i * i, i * i * i);
    printf("---\n");
    return 0;
}
