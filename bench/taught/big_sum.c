/* Adds large numbers.
 * test large: 2000000000 2000000000
 * test small: 1 2
 * test negative: -5000000000 1
 * test zero: 0 0
 */
#include <stdio.h>

int main(void)
{
    long a, b;

    scanf("%ld %ld", &a, &b);
    printf("Sum: %ld\n", a + b);
    printf("Difference: %ld\n", a - b);
    return 0;
}
