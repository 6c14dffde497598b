/* Numbers in decimal, octal and hexadecimal.
 * test few: 8 11
 * test zero: 0 2
 * test large: 250 257
 * test single: 7 7
 */
#include <stdio.h>

int main(void)
{
    unsigned int from, to, i;
    scanf("%u %u", &from, &to);
    for (i = from; i <= to; i++)
        printf("%5u %5o %5x\n", i, i, i);
    return 0;
}
