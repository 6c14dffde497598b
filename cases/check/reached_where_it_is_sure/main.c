#include <assert.h>
int nondet_int(void);
int main(void)
{
    int y = nondet_int(), s = 0;
    __CPROVER_assume(y <= 3);
    for (int i = 0; i < 3; i++) {
        if (y > i * 3) { s++; assert(s <= i + 1); }
    }
    return 0;
}
