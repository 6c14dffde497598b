#include <assert.h>
int nondet_int(void);
int depth(int n, int d)
{
    if (n <= 0)
        return d;
    return depth(n - 1, d + 1);
}
int main(void)
{
    int n = nondet_int();
    if (n > 6)
        return 0;
    int d = depth(n, 0);
    assert(d != 1 && d != 2 && d != 4 && d != 5);
}
