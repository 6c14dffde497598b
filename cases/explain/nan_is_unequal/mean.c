#include <assert.h>

double nondet_double(void);

int main(void)
{
    double x = nondet_double(), mean = 0;
    __CPROVER_assume(!(x < -10.0) && !(x > 10.0));
    mean += (x - mean) / 2;
    assert(mean >= -10.0 && mean <= 10.0);
}
