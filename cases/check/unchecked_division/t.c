#include <assert.h>
#include <limits.h>

int main(void)
{
    int x, y;
    assert(x == 0 || x % x == 0 || x == INT_MIN);
    int quotient = x / y;
    assert(y != 0 || quotient == 0);
    assert(y != -1 || quotient != 7 || x == -7);
    assert(x + 1 > x || x + 1 == INT_MIN);
}
