#include <assert.h>
unsigned nondet_uint(void);
/* ways that cannot be said in a line: folding checksum with optional bytes */
static unsigned fold(unsigned s, unsigned c) { s += c; return (s & 15) + (s >> 4); }
int main(void)
{
    unsigned n = nondet_uint(), s = 3;
    __CPROVER_assume(n >= 1 && n <= 3);
    while (n--) {
        unsigned c = nondet_uint();
        __CPROVER_assume(c < 16);
        if (c == 9)
            s ^= 5;
        else
            s = fold(s * 3, c);
    }
    assert(s != 12);
    return 0;
}
