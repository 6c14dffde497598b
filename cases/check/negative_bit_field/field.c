/* A signed bit-field beside a hexadecimal literal: a negative number is a number. */
#include <assert.h>

unsigned char nondet_uchar(void);

struct fields { int low : 3; unsigned high : 5; };

int main(void)
{
    struct fields f;

    f.high = nondet_uchar() & 0x1f;
    f.low = f.high | 0x4;
    assert(f.low != -4);
}
