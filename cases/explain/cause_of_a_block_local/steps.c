/* A condition over what a block declares. */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

int main(void)
{
    int n = nondet_int(), sum = 0;
    __CPROVER_assume(n >= 0 && n < 4);
    while (n > 0) {
        int step = n * 2;
        sum += step;
        assert(sum < 6);
        n--;
    }
}
