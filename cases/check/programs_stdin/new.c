#include <stdio.h>
int main(void)
{
    int n, sum = 0;
    while (scanf("%d", &n) == 1)
        sum += n < 0 ? -n : n;
    printf("sum %d\n", sum);
    return 0;
}
