/* Divides two numbers; the exit status tells whether that was possible.
 * test usual: 8 2
 * test zero: 8 0
 * test letters: abc
 * test negative: -9 3
 */
#include <stdio.h>

int main(void)
{
    int a, b;

    if (scanf("%d %d", &a, &b) != 2) {
        printf("Please enter two numbers\n");
        return 2;
    }
    if (b == 0) {
        printf("Cannot divide by zero\n");
        return 1;
    }
    printf("%d\n", a / b);
    return 0;
}
