#include <stdio.h>

int main(void)
{
    char name[12];
    printf("Who are you? ");
    scanf("%s", name);
    printf("Hello %s\n", name);
    return 0;
}
