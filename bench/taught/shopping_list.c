/* Prints articles with commas between them.
 * test three: milk bread eggs
 * test one: milk
 * test two: milk bread
 * test none:
 */
#include <stdio.h>

int main(void)
{
    char item[20];
    int first = 1;

    printf("List: ");
    while (scanf("%19s", item) == 1) {
        if (!first)
            printf(", ");
        printf("%s", item);
        first = 0;
    }
    printf("\n");
    return 0;
}
