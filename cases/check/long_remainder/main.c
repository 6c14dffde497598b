#include <assert.h>
#include <math.h>

unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char x = nondet_uchar();
    __CPROVER_assume(x < 16);
    long double rest = remainderl(x, 6);
    assert(rest <= 3 && rest >= -3);
    assert(rest != -3);
    return 0;
}
