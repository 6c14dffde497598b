#include <assert.h>
#include <fenv.h>
#include <math.h>

int main(void)
{
    int up;
    assert(rint(2.5) == 2);
    if (up)
        fesetround(FE_UPWARD);
    return 0;
}
