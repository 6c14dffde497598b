#include <stdio.h>
int nondet_int(void);
int main(void)
{
    int total = nondet_int(), parts = nondet_int();
    printf("%d each\n", total / parts);
    return 0;
}
