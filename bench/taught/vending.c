/* A vending machine.
 * test tea: 1 2
 * test coffee: 2 5
 * test poor: 2 1
 * test juice: 3 4
 * test unknown: 7 10
 */
#include <stdio.h>

int main(void)
{
    int choice, price, money;

    printf("1) Tea\n2) Coffee\n3) Juice\n");
    scanf("%d %d", &choice, &money);
    if (choice == 1)
        price = 2;
    else if (choice == 2)
        price = 3;
    else if (choice == 3)
        price = 4;
    else {
        printf("No such drink\n");
        return 0;
    }
    if (money >= price)
        printf("Change: %d\n", money - price);
    else
        printf("Missing: %d\n", price - money);
    return 0;
}
