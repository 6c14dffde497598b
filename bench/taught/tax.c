/* Tax in three steps.
 * test low: 8000
 * test first_limit: 10000
 * test middle: 20000
 * test second_limit: 40000
 * test high: 60000
 * test zero: 0
 */
#include <stdio.h>

double tax(double income)
{
    if (income <= 10000)
        return 0;
    else if (income <= 40000)
        return (income - 10000) * 0.2;
    else
        return 7000 + (income - 40000) * 0.4;
}

int main(void)
{
    double income;
    scanf("%lf", &income);
    printf("Income: %10.2f\n", income);
    printf("Tax:    %10.2f\n", tax(income));
    printf("Net:    %10.2f\n", income - tax(income));
    return 0;
}
