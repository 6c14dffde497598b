/* A calculator for one operation.
 * test add: 3 + 4
 * test subtract: 3 - 4
 * test multiply: 6 * 7
 * test divide: 7 / 2
 * test by_zero: 7 / 0
 * test unknown: 7 ^ 2
 */
#include <stdio.h>

int main(void)
{
    double a, b;
    char op;

    scanf("%lf %c %lf", &a, &op, &b);
    switch (op) {
    case '+':
        printf("%.2f\n", a + b);
        break;
    case '-':
        printf("%.2f\n", a - b);
        break;
    case '*':
        printf("%.2f\n", a * b);
        break;
    case '/':
        if (b == 0)
            printf("Division by zero\n");
        else
            printf("%.2f\n", a / b);
        break;
    default:
        printf("Unknown operator %c\n", op);
    }
    return 0;
}
