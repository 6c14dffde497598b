/* As CBMC has it: int has 16 bits, long and pointers have 32. */
#include <assert.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    assert(sizeof(int) == 2 && sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(sizeof(int)) == 4);
    assert(x <= 32767);
    assert(65535u + 1 == 0);
    assert(x < 0 || x + 1 > x);
}
