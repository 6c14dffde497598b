#include <assert.h>
int nondet_int(void);
/* callbacks with the same parameter name and different values */
typedef int (*cb)(int arg);
static int total;
static int inc(int arg) { total += arg; return arg + 1; }
static int lim(int arg) { if (arg > 4) total += 10; return arg; }
static cb tab[2] = { inc, lim };
int main(void)
{
    int x = nondet_int();
    __CPROVER_assume(x >= 0 && x <= 5);
    for (int i = 0; i < 2; i++)
        x = tab[i](x);
    assert(total < 10);
    return 0;
}
