#include <assert.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    int a[2] = { 0, 1 };
    if (x == 5)
        assert(x != 5);
    if (x == 6)
        return 1 / (x - 6);
    if (x == 2)
        return a[x];
    assert(x != 8);
}
