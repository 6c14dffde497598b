/* Says of each number until 0 whether it is even or odd.
 * test some: 1 2 3 4 0
 * test none: 0
 * test even: 8 0
 * test negative: -4 -6 0
 * test oddnegative: -3 0
 */
#include <stdio.h>

int main(void)
{
    int number;

    scanf("%d", &number);
    while (number != 0) {
        if (number % 2 == 0)
            printf("%d is even\n", number);
        else
            printf("%d is odd\n", number);
        scanf("%d", &number);
    }
    return 0;
}
