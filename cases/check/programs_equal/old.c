#include <stdio.h>
int main(void)
{
    int c = getchar();
    printf("%d\n", c == EOF ? 0 : c - '0');
    return c == EOF;
}
