#include <assert.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    if (x == -2147483647 - 1)
        return 0;
    int y = x < 0 ? -x : x;
    assert(y >= 0);
    for (int i = 0; i < 3; i++)
        assert(i < 3);
}
