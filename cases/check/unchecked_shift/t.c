#include <assert.h>

int main(void)
{
    unsigned char by;
    unsigned bit = 1u << by;
    assert(by > 31 || bit != 0);
    bit <<= by;
    assert(bit != 5);
    assert(by == 0 || __builtin_ctz(by) < 8);
    assert(__builtin_clz(by) != 40);
}
