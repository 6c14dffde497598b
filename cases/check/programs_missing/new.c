#include <stdio.h>
int main(void)
{
    int c;
    while ((c = getchar()) != EOF && c != 0x1a)
        if (c != ' ')
            putchar(c);
    if (c == EOF)
        putchar(10);
    return 0;
}
