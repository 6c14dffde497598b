#include <stdio.h>
#include <stdlib.h>
static int half(int n)
{
    if (n % 2 != 0) {
        fprintf(stderr, "%d is odd\n", n);
        exit(n > 100 ? 3 : 2);
    }
    return n / 2;
}
int nondet_int(void);
int main(void)
{
    int n = nondet_int();
    printf("%d\n", half(n));
    return 0;
}
