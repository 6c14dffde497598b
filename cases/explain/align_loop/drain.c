/* One round too many: the tank is empty when the last bucket is drawn. */
#include <assert.h>

unsigned nondet_unsigned(void);
void __CPROVER_assume(int);

int main(void)
{
    unsigned buckets = nondet_unsigned();
    int level = 3;
    int drawn = 0;

    __CPROVER_assume(buckets <= 6);
    while (buckets > 0) {
        level = level - 1;
        drawn = drawn + 1;
        buckets = buckets - 1;
    }
    assert(level >= 0);
    return drawn;
}
