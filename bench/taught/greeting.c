/* Greets by name.
 * test bob: Bob
 * test alice: Alice
 * test long: Maximilian
 * test short: X
 */
#include <stdio.h>

int main(void)
{
    char name[40];
    printf("What is your name? ");
    scanf("%39s", name);
    printf("Hello, %s!\n", name);
    printf("Nice to meet you.\n");
    return 0;
}
