#include <stdio.h>
int main(void)
{
    int c;
    while ((c = getchar()) != EOF)
        if (c != ' ')
            putchar(c);
    putchar('\n');
    return 0;
}
