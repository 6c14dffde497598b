#include <stdio.h>
int main(void)
{
    char name[20]; double x; int n;
    printf("Enter your name: ");
    scanf("%19s", name);
    scanf("%lf %d", &x, &n);
    printf("Hello, %s!\n", name);
    printf("Half is %f\n", x / 2);
    for (int i = 0; i < n; i++)
        printf("%d", i);
    printf("\n");
    return 0;
}
