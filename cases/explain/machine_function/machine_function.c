#include <assert.h>
#include <math.h>

int main(void)
{
    int side;
    if (side < 0 || side > 20)
        return 0;
    double way = hypot(side, 5);
    double steps = floor(way);
    assert(steps < 13);
    return 0;
}
