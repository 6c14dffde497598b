#include <assert.h>
int nondet_int(void);
int g;
void clamp(int x)
{
    if (x < 0)
        return;
    g = x;
    if (x > 10)
        return;
    g = 1;
}
int sign(int x)
{
    if (x < 0)
        return -1;
    return 1;
}
int main(void)
{
    int x = nondet_int();
    clamp(x);
    int s = sign(x);
    assert(g != 11 && s > 0);
}
