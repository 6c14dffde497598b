#include <assert.h>
int nondet_int(void);
int main(void)
{
    int a[3];
    a[0] = nondet_int();
    a[1] = nondet_int();
    for (int i = 2; i < 3; i++)
        a[i] = nondet_int();
    if (a[0] > 3 && a[2] == 7)
        assert(a[1] < a[0]);
}
