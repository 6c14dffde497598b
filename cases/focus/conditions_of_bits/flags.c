#include <assert.h>
unsigned nondet_uint(void);
unsigned char nondet_uchar(void);
int nondet_int(void);
struct bits { unsigned low : 3, high : 5; int sign : 4; };
int main(void)
{
    unsigned flags = nondet_uint();
    int x = nondet_int();
    unsigned char byte = nondet_uchar();
    struct bits bits;
    int bad = 0;
    if ((flags & 3) == 2)
        bad = 1;
    else if ((flags & 0x30) == 0x20)
        bad = 2;
    else if (flags >> 28 == 5)
        bad = 3;
    else if ((char)x == 'A')
        bad = 4;
    else if ((short)x < -3)
        bad = 5;
    else if ((unsigned char)(byte + 1) == 0)
        bad = 6;
    else if (bits.high == 9)
        bad = 7;
    else if (bits.sign == -3)
        bad = 8;
    else if (((byte << 8) | (flags & 0xff)) == 0x1234)
        bad = 9;
    else if (flags & 0x40000000)
        bad = 10;
    assert(bad == 0);
}
