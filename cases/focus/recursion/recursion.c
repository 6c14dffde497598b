/* The larger half of a number is taken until nothing is left; negative numbers are
   forgotten, and the depth is off by one for 3. */
#include <assert.h>

static int depth(int n)
{
    if (n <= 0)
        return n;
    if (n == 3)
        return 3;
    return 1 + depth(n / 2);
}

int main(int n)
{
    if (n > 8)
        return 0;
    assert(depth(n) >= 0 && depth(n) < 4);
    return 0;
}
