/* All primes up to a limit.
 * test ten: 10
 * test thirty: 30
 * test two: 2
 * test one: 1
 * test three: 3
 */
#include <stdio.h>

int is_prime(int n)
{
    int d;
    if (n < 2)
        return 0;
    for (d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return 1;
}

int main(void)
{
    int limit, i;
    scanf("%d", &limit);
    for (i = 2; i <= limit; i++)
        if (is_prime(i))
            printf("%d ", i);
    printf("\n");
    return 0;
}
