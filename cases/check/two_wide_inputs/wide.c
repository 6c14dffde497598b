#include <assert.h>

int main(void)
{
    unsigned __int128 a, b;
    assert(a != b || a < 5);
    return 0;
}
