#include <assert.h>
#include <math.h>

int main(void)
{
    assert(sin(0) == 0);
    return 0;
}
