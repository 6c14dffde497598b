/* Raises a price by a percentage.
 * test ten: 100 10
 * test none: 80 0
 * test half: 49.90 50
 * test small: 1 1
 */
#include <stdio.h>

int main(void)
{
    double price, percent, raised;

    scanf("%lf %lf", &price, &percent);
    raised = price * (1 + percent / 100);
    printf("%.2f plus %.0f%% is %.2f\n", price, percent, raised);
    if (percent > 25)
        printf("That is a lot.\n");
    return 0;
}
