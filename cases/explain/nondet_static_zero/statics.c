#include <assert.h>
static int mode;
static int limit = 4;
int nondet_int(void);
int main(void)
{
    int x = nondet_int();
    __CPROVER_assume(x >= 0 && x < 10);
    if (x > limit)
        assert(mode == 1);
    return 0;
}
