#include <stdio.h>
int nondet_int(void);
int main(void)
{
    int total = nondet_int(), parts = nondet_int();
    if (parts == 0) {
        puts("nobody is there");
        return 1;
    }
    int each = total / parts;
    printf("%d", each);
    printf(" each\n");
    return 0;
}
