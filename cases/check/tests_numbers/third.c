#include <stdio.h>

int main(void)
{
    double x;
    while (scanf("%lf", &x) == 1)
        printf("%.9g %.3f\n", x / 3, x * x);
    return 0;
}
