/* Prints a number backwards.
 * test three: 123
 * test zero: 0
 * test round: 120
 * test one: 9
 * test long: 987654
 */
#include <stdio.h>

int reverse(int n)
{
    int r = 0;
    while (n != 0) {
        r = r * 10 + n % 10;
        n = n / 10;
    }
    return r;
}

int main(void)
{
    int number;
    scanf("%d", &number);
    printf("Reversed: %d\n", reverse(number));
    return 0;
}
