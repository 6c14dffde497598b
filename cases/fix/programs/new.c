#include <stdio.h>
int main(void)
{
    int c = getchar();
    if (c == 'y')
        puts("yes");
    else
        puts("no");
    return 0;
}
