/* A receipt with articles, prices and a total.
 * test two: 2 bread 2.50 milk 1.20
 * test one: 1 cheese 12.99
 * test none: 0
 * test three: 3 a 1 bb 10 ccc 100
 */
#include <stdio.h>

int main(void)
{
    int n;
    char name[20];
    double price, total = 0.0;

    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%19s %lf", name, &price);
        printf("%-10s %8.2f\n", name, price);
        total += price;
    }
    printf("-------------------\n");
    printf("%-10s %8.2f\n", "total", total);
    return 0;
}
