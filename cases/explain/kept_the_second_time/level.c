#include <assert.h>
int nondet_int(void);
int main(void)
{
    int level = 0;
    int old;
    for (int t = 0; t < 3; t++) {
        int x = nondet_int();
        __CPROVER_assume(x >= 0 && x < 10);
        old = level;
        if (t > 0)
            level = x;
        if (level != old)
            assert(x != 3);
    }
    return 0;
}
