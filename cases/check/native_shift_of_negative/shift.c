#include <assert.h>
int main(void)
{
    int w = -2, u = 1, r;
    r = w << u;
    assert(u == 2);
    return 0;
}
