/* The sum of the digits by recursion.
 * test three: 123
 * test one: 5
 * test zero: 0
 * test long: 99999
 * test round: 1000
 */
#include <stdio.h>

int digit_sum(int n)
{
    if (n < 10)
        return n;
    return n % 10 + digit_sum(n / 10);
}

int main(void)
{
    int n;
    printf("Enter a number: ");
    scanf("%d", &n);
    printf("The digit sum of %d is %d\n", n, digit_sum(n));
    return 0;
}
