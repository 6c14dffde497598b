#include <assert.h>
int nondet_int(void);
int limit = 10;
static int table[4] = {1, 2, 3,
                       4};
int other;
int main(void)
{
    static int step = 2;
    int x = nondet_int();
    other = x;
    if (x > limit && x < 100)
        assert(x + step < 50 + table[2] + other - x);
}
