/* The greatest common divisor and the least common multiple.
 * test usual: 12 18
 * test coprime: 7 9
 * test same: 6 6
 * test one: 1 25
 * test swapped: 100 75
 */
#include <stdio.h>

int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(void)
{
    int x, y;
    scanf("%d %d", &x, &y);
    printf("gcd = %d\n", gcd(x, y));
    printf("lcm = %d\n", x / gcd(x, y) * y);
    return 0;
}
