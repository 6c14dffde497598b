#include <assert.h>

unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char n = nondet_uchar();
    assert(n < 3);
    int sum = 0;
    for (unsigned char i = 0; i < n; i++)
        sum++;
    assert(sum != 20);
    assert(sum != 256);
    assert(sum < 256);
}
