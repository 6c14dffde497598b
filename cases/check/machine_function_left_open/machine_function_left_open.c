#include <assert.h>
#include <math.h>

/* There may be such an x, and it would take too many points of the function to find it. */
int main(void)
{
    double x;
    assert(tan(x) != 0.123456789);
    return 0;
}
