#include <stdio.h>

int main(void)
{
    char word[5];
    int n = 0;
    while (scanf("%s", word) == 1)
        n++;
    printf("%d\n", n);
    return 0;
}
