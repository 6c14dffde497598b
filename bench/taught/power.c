/* Powers of whole numbers by a loop.
 * test usual: 2 10
 * test zero: 5 0
 * test one: 7 1
 * test negative: -2 3
 */
#include <stdio.h>

long long power(int base, int exponent)
{
    long long result = 1;
    while (exponent > 0) {
        result *= base;
        exponent--;
    }
    return result;
}

int main(void)
{
    int b, e;
    printf("Base and exponent: ");
    scanf("%d %d", &b, &e);
    printf("%d^%d = %lld\n", b, e, power(b, e));
    return 0;
}
