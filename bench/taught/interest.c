/* A table of savings with interest.
 * test usual: 1000 5 3
 * test none: 500 0 2
 * test no_years: 100 3 0
 * test long: 1 100 5
 */
#include <stdio.h>

int main(void)
{
    double money, rate;
    int years, y;

    scanf("%lf %lf %d", &money, &rate, &years);
    printf("%-5s%12s\n", "Year", "Balance");
    for (y = 1; y <= years; y++) {
        money += money * rate / 100;
        printf("%-5d%12.2f\n", y, money);
    }
    return 0;
}
