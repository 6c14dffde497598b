/* The sum of the digits of a number.
 * test three: 123
 * test zero: 0
 * test round: 100
 * test nines: 9999
 * test one: 7
 */
#include <stdio.h>

int main(void)
{
    int n, sum = 0;

    scanf("%d", &n);
    while (n > 0) {
        sum += n % 10;
        n /= 10;
    }
    printf("Digit sum: %d\n", sum);
    return 0;
}
