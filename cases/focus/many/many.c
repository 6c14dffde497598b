/* Every subset of eight additions is a way to fail: more than anybody reads. */
#include <assert.h>

_Bool nondet_bool(void);

int main(void)
{
    unsigned sum = 0;
    if (nondet_bool())
        sum += 1;
    if (nondet_bool())
        sum += 2;
    if (nondet_bool())
        sum += 4;
    if (nondet_bool())
        sum += 8;
    if (nondet_bool())
        sum += 16;
    if (nondet_bool())
        sum += 32;
    if (nondet_bool())
        sum += 64;
    if (nondet_bool())
        sum += 128;
    assert(sum > 300);
    return 0;
}
