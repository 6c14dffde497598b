#include <assert.h>

unsigned char nondet_uchar(void);

struct control { unsigned char gain : 3; signed char trim : 2; };

int main(void)
{
    struct control c;
    unsigned char set = nondet_uchar();
    c.gain = set;
    c.trim = set;
    c.trim += c.gain;
    assert(c.trim != -2);
}
