/* A bank account: d pays in, w draws, b tells the balance, q ends.
 * test usual: d 100 w 30 b q
 * test too_much: d 50 w 80 b q
 * test exact: d 50 w 50 b q
 * test nothing: q
 * test many: d 10 d 20 b w 5 b q
 */
#include <stdio.h>

int main(void)
{
    double balance = 0, amount;
    char command;

    while (scanf(" %c", &command) == 1 && command != 'q') {
        if (command == 'd') {
            scanf("%lf", &amount);
            balance += amount;
        } else if (command == 'w') {
            scanf("%lf", &amount);
            if (amount <= balance)
                balance -= amount;
            else
                printf("Not enough money\n");
        } else if (command == 'b') {
            printf("Balance: %.2f\n", balance);
        }
    }
    printf("Goodbye\n");
    return 0;
}
