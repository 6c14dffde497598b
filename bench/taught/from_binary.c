/* Reads a binary number and prints its value.
 * test five: 101
 * test zero: 0
 * test one: 1
 * test byte: 11111111
 * test leading: 0010
 */
#include <stdio.h>

int main(void)
{
    char bits[33];
    int value = 0;

    scanf("%32s", bits);
    for (int i = 0; bits[i] != '\0'; i++)
        value = value * 2 + (bits[i] - '0');
    printf("%s = %d\n", bits, value);
    return 0;
}
