#include <stdlib.h>
void a(void);
int nondet_int(void);
char *p;
int main(void)
{
    while (1) {
        p = malloc(1);
        *p = 1;
        if (nondet_int())
            a();
        free(p);
    }
}
