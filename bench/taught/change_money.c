/* Change in coins of 50, 20, 10, 5, 2 and 1.
 * test all: 88
 * test fifty: 50
 * test zero: 0
 * test fives: 35
 * test small: 4
 */
#include <stdio.h>

int main(void)
{
    int coins[] = {50, 20, 10, 5, 2, 1};
    int amount, i;

    printf("Amount: ");
    scanf("%d", &amount);
    for (i = 0; i < 6; i++) {
        printf("%2d: %d\n", coins[i], amount / coins[i]);
        amount = amount % coins[i];
    }
    return 0;
}
