/* Characters with their codes.
 * test letters: A E
 * test digits: 0 4
 * test single: x x
 * test small: a c
 */
#include <stdio.h>

int main(void)
{
    char from, to;
    int c;
    scanf("%c %c", &from, &to);
    printf("char dec hex\n");
    for (c = from; c <= to; c++)
        printf("  %c  %3d  %02x\n", c, c, c);
    return 0;
}
