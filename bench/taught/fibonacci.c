/* The first numbers of Fibonacci.
 * test five: 5
 * test one: 1
 * test two: 2
 * test ten: 10
 * test none: 0
 */
#include <stdio.h>

int main(void)
{
    int n, a = 0, b = 1, next;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        printf("%d\n", a);
        next = a + b;
        a = b;
        b = next;
    }
    return 0;
}
