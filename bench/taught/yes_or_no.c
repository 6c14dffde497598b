/* Asks whether to go on after every number.
 * test two: 1 y 2 n
 * test one: 5 n
 * test capital: 1 Y 2 Y 3 n
 * test many: 1 y 1 y 1 y 1 n
 */
#include <stdio.h>

int main(void)
{
    int x, total = 0;
    char answer;

    do {
        printf("Number: ");
        scanf("%d", &x);
        total += x;
        printf("Another one (y/n)? ");
        scanf(" %c", &answer);
    } while (answer == 'y' || answer == 'Y');
    printf("Total: %d\n", total);
    return 0;
}
