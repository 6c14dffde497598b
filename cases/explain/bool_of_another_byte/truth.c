/* A truth value whose byte is 7: C says nothing of what is read. */
#include <assert.h>
union both { unsigned char byte; _Bool truth; };
int nondet_int(void);
int main(void)
{
    union both v;
    int k = nondet_int();
    if (v.byte == 7 && k == 3)
        assert(!v.truth);
    return 0;
}
