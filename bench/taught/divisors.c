/* The divisors of a number in brackets.
 * test twelve: 12
 * test prime: 7
 * test one: 1
 * test square: 9
 */
#include <stdio.h>

int main(void)
{
    int n, d, count = 0;

    scanf("%d", &n);
    printf("[ ");
    for (d = 1; d <= n; d++) {
        if (n % d == 0) {
            printf("%d ", d);
            count++;
        }
    }
    printf("]\n%d divisors\n", count);
    return 0;
}
