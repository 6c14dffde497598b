#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int a[5], max;
    if (argc > 1 && atoi(argv[1]) < 1) {
        printf("usage\n");
        return 2;
    }
    for (int i = 0; i <= 5; i++)
        scanf("%d", &a[i]);
    max = a[0];
    for (int i = 0; i < 5; i++)
        if (a[i] > max)
            max = i;
    printf("max %d\n", max);
    return 0;
}
