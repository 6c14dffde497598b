#include <assert.h>
int nondet_int(void);
/* helper fails before its value is assigned: bounds in a callee called in an initializer */
static int tab[4] = { 3, 1, 2, 0 };
static int look(int i) { return tab[i]; }
static int twice(int i)
{
    int k = look(i);
    return look(k + 1);
}
int main(void)
{
    int i = nondet_int();
    __CPROVER_assume(i >= 0 && i < 4);
    int r = 0;
    if (i > 0)
        r = twice(i - 1);
    int s = look(r);
    return s;
}
