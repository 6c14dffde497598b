/* Counts down.
 * test three: 3
 * test one: 1
 * test none: 0
 * test ten: 10
 */
#include <stdio.h>

int main(void)
{
    int n;

    printf("Start: ");
    scanf("%d", &n);
    while (n > 0) {
        printf("%d...\n", n);
        n--;
    }
    printf("Lift-off!\n");
    return 0;
}
