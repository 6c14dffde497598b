/* The smallest and the largest of three numbers; a number below the smallest is
   stored in the largest. */
#include <assert.h>

int main(void)
{
    int x, y, z;
    int least = x;
    int most = x;
    if (most < y)
        most = y;
    if (most < z)
        most = z;
    if (least > y)
        most = y;
    if (least > z)
        least = z;
    assert(least <= x && least <= y && least <= z && most >= x && most >= y && most >= z);
    return 0;
}
