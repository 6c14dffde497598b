/* A table of temperatures in Celsius and Fahrenheit.
 * test usual: 0 40 10
 * test steps: 0 10 3
 * test cold: -40 -20 5
 * test single: 37 37 1
 * test empty: 5 1 1
 */
#include <stdio.h>

int main(void)
{
    int from, to, step, c;

    scanf("%d %d %d", &from, &to, &step);
    printf("  C      F\n");
    for (c = from; c <= to; c += step) {
        double f = c * 9.0 / 5.0 + 32.0;
        printf("%3d %6.1f\n", c, f);
    }
    return 0;
}
