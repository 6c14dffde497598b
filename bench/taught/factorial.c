/* Factorials by a function.
 * test five: 5
 * test one: 1
 * test zero: 0
 * test twelve: 12
 * test twenty: 20
 */
#include <stdio.h>

long factorial(int n)
{
    long result = 1;
    int i;
    for (i = 2; i <= n; i++)
        result = result * i;
    return result;
}

int main(void)
{
    int n;
    scanf("%d", &n);
    printf("%d! = %ld\n", n, factorial(n));
    return 0;
}
