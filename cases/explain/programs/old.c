#include <stdio.h>
int main(void)
{
    int c = getchar();
    if (c == 'y' || c == 'Y')
        puts("yes");
    else
        puts("no");
    return 0;
}
