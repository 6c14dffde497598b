/* The steps of Collatz until 1.
 * test six: 6
 * test one: 1
 * test seven: 7
 * test power: 16
 */
#include <stdio.h>

int main(void)
{
    long n;
    int steps = 0;

    scanf("%ld", &n);
    printf("%ld", n);
    while (n != 1) {
        if (n % 2 == 0)
            n = n / 2;
        else
            n = 3 * n + 1;
        printf(" %ld", n);
        steps++;
    }
    printf("\n%d steps\n", steps);
    return 0;
}
