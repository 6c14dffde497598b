#include <assert.h>
int nondet_int(void);
int main(void)
{
    int k[3], id[3] = { 1, 0, 2 };
    for (int i = 0; i < 3; i++) {
        k[i] = nondet_int();
        __CPROVER_assume(k[i] >= 0 && k[i] <= 3);
    }
    for (int i = 0; i + 1 < 3; i++)
        assert(k[i] != k[i + 1] || id[i] < id[i + 1]);
    return 0;
}
