#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

static v4 clamp(v4 x, v4 low, v4 high)
{
    v4 below = x < low, above = x > high;
    return (x & ~below & ~above) | (low & below) | (low & above);
}

int main(void)
{
    int red, green;
    __CPROVER_assume(red > -100 && red < 100 && green > -100 && green < 100);
    v4 x = {red, green, 5, 6};
    v4 y = clamp(x, (v4){0, 0, 0, 0}, (v4){10, 10, 10, 10});
    assert(y[1] >= 0 && y[1] <= 10);
    assert((y[0] == 10) == (red >= 10));
    return 0;
}
