/* The average of two digits before a slash and one behind it, from standard input. */
#include <stdio.h>

int main(void)
{
    int a = getchar(), slash = getchar(), b = getchar();
    if (a == EOF || slash != '/' || b == EOF)
        return 1;
    return (a - '0') / (b - '0');
}
