/* Roots of a quadratic equation.
 * test two: 1 -3 2
 * test one: 1 -2 1
 * test none: 1 0 1
 * test fractions: 2 3 -2
 * test zero: 1 0 0
 */
#include <stdio.h>
#include <math.h>

int main(void)
{
    double a, b, c, d;

    scanf("%lf %lf %lf", &a, &b, &c);
    d = b * b - 4 * a * c;
    if (d > 0) {
        printf("x1 = %.2f\n", (-b + sqrt(d)) / (2 * a));
        printf("x2 = %.2f\n", (-b - sqrt(d)) / (2 * a));
    } else if (d == 0) {
        printf("x = %.2f\n", -b / (2 * a));
    } else {
        printf("No real roots\n");
    }
    return 0;
}
