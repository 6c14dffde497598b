/* Perfect numbers up to a limit.
 * test thirty: 30
 * test six: 6
 * test five: 5
 * test large: 500
 */
#include <stdio.h>

int main(void)
{
    int limit, n, d, sum;

    scanf("%d", &limit);
    for (n = 2; n <= limit; n++) {
        sum = 1;
        for (d = 2; d < n; d++) {
            if (n % d == 0)
                sum += d;
        }
        if (sum == n)
            printf("%d is perfect\n", n);
    }
    printf("done\n");
    return 0;
}
