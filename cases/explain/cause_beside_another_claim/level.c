/* The nearest run without the condition may violate another assertion: that says nothing of this one. */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

int main(void)
{
    int level = nondet_int(), warned = 0;
    __CPROVER_assume(level >= 0 && level < 9);
    assert(level <= 4);
    if (level == 4)
        warned = 1;
    assert(!warned);
}
