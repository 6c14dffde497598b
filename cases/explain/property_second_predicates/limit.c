/* The claim that is asked for stands behind another assertion. */
#include <assert.h>
int nondet_int(void);

int main(void)
{
    int level = nondet_int();
    assert(level != 3);
    assert(level < 11);
    return 0;
}
