#include <assert.h>

unsigned char nondet_uchar(void);
unsigned long digest;

static void add(unsigned char byte)
{
    for (int i = 0; i < 4; i++)
        digest = digest * digest + (digest >> 7) + byte;
}

int main(void)
{
    unsigned char kept[4];
    int used = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char byte = nondet_uchar();
        add(byte);
        if (byte >= 'a')
            kept[used++] = byte;
    }
    assert(used != 4 || kept[0] != 'x' || kept[3] != 'y');
    return digest != 0;
}
