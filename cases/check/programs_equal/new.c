#include <stdio.h>
#include <stdlib.h>
/* Prints the same, digit by digit. */
static void print(int number)
{
    if (number < 0)
        putchar('-');
    unsigned size = number < 0 ? -(unsigned)number : number;
    if (size > 99)
        putchar('0' + size / 100);
    if (size > 9)
        putchar('0' + size / 10 % 10);
    putchar('0' + size % 10);
}
int main(void)
{
    int c = getchar();
    if (c == EOF) {
        puts("0");
        exit(1);
    }
    print(c - '0');
    printf("\n");
    return 0;
}
