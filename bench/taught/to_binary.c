/* Prints a number in binary.
 * test ten: 10
 * test one: 1
 * test zero: 0
 * test eight: 8
 * test large: 255
 */
#include <stdio.h>

int main(void)
{
    int n, digits[32], count = 0, i;

    scanf("%d", &n);
    if (n == 0)
        printf("0");
    while (n > 0) {
        digits[count] = n % 2;
        n = n / 2;
        count++;
    }
    for (i = count - 1; i >= 0; i--)
        printf("%d", digits[i]);
    printf("\n");
    return 0;
}
