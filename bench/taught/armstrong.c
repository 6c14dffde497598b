/* Is a number of three digits the sum of its cubes?
 * test yes: 153
 * test no: 154
 * test another: 371
 * test low: 100
 * test zeros: 407
 */
#include <stdio.h>

int main(void)
{
    int n, a, b, c;
    scanf("%d", &n);
    a = n / 100;
    b = n / 10 % 10;
    c = n % 10;
    if (a * a * a + b * b * b + c * c * c == n)
        printf("%d is an Armstrong number\n", n);
    else
        printf("%d is not an Armstrong number\n", n);
    return 0;
}
