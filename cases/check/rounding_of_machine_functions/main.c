#include <assert.h>
#include <fenv.h>
#include <math.h>

int main(void)
{
    int up;
    assert(cos(0) == 1);
    if (up)
        fesetround(FE_UPWARD);
    assert(sqrt(4) == 2);
    assert(cos(0) == 1);
    return 0;
}
