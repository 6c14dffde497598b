/* An order: net, tax and gross.
 * test usual: 3 19.99
 * test one: 1 100
 * test none: 0 5
 * test many: 10 0.5
 */
#include <stdio.h>

#define VAT 0.19

int main(void)
{
    int pieces;
    double price, net, vat, gross;

    scanf("%d %lf", &pieces, &price);
    net = pieces * price;
    vat = net * VAT;
    gross = net + vat;
    printf("Net:   %8.2f\n", net);
    printf("VAT:   %8.2f\n", vat);
    printf("Gross: %8.2f\n", gross);
    return 0;
}
