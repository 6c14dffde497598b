#include <assert.h>

unsigned char nondet_uchar(void);

/* A sequence number is new if it is less than half of all numbers ahead. */
int main(void)
{
    unsigned char last = nondet_uchar(), next = nondet_uchar();
    int accepted = 0;
    if ((unsigned char)(next - last) < 128)
        accepted = 1;
    if ((unsigned char)(last + 200) < 10)
        accepted += 2;
    assert(accepted < 3);
    return 0;
}
