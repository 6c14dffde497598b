/* The average of three whole numbers, with two decimals.
 * test even: 3 6 9
 * test broken: 1 2 2
 * test negative: -4 1 1
 * test zero: 0 0 0
 * test large: 100 101 101
 */
#include <stdio.h>
int main() {
    int a, b, c;
    float average;
    printf("Three numbers: ");
    scanf("%d %d %d", &a, &b, &c);
    average = (a + b + c) / 3.0;
    printf("Average: %.2f\n", average);
    return 0;
}
