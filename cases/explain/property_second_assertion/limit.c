/* Every value violates the first assertion; the second one, asked for, has passing runs all the same. */
#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char level = nondet_uchar();
    __CPROVER_assume(level >= 5);
    assert(level < 5);
    assert(level < 11);
    return 0;
}
