/* `pos` in skip() is a pointer: what paths join there is the `pos` of main. */
#include <assert.h>
int nondet_int(void);
static void skip(const int *t, int *pos)
{
    if (t[*pos] == 1) {
        (*pos)++;
        if (t[*pos] == 2)
            (*pos)++;
    }
}
int main(void)
{
    int t[3], pos = 0;
    for (int i = 0; i < 3; i++) {
        t[i] = nondet_int();
        __CPROVER_assume(t[i] >= 0 && t[i] <= 2);
    }
    skip(t, &pos);
    int rest = 3 - pos;
    assert(rest != 2);
    return 0;
}
