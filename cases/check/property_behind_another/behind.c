#include <assert.h>
int nondet_int(void);
int main(void)
{
    int n = nondet_int();
    assert(n < 10);
    n = n * 2;
    assert(n < 40);
    return n;
}
