/* The scalar products of some pairs of vectors with three parts.
 * test one: 1 1 2 3 4 5 6
 * test two: 2 1 0 0 1 0 0 0 1 0 0 2 0
 * test none: 0
 * test zero_first: 2 0 0 0 1 1 1 1 1 1 1 1 1
 */
#include <stdio.h>

int main(void)
{
    int pairs, p, i;
    double a[3], b[3], product;

    scanf("%d", &pairs);
    for (p = 1; p <= pairs; p++) {
        for (i = 0; i < 3; i++)
            scanf("%lf", &a[i]);
        for (i = 0; i < 3; i++)
            scanf("%lf", &b[i]);
        product = 0;
        for (i = 0; i < 3; i++)
            product += a[i] * b[i];
        printf("Product %d: %g\n", p, product);
    }
    return 0;
}
