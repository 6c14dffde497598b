#include <assert.h>

int nondet_int(void);

// Which of several inputs in a line is meant.
int main(void)
{
    int a[3];
    a[0] = nondet_int(); a[1] = nondet_int(); a[2] = nondet_int();
    __CPROVER_assume(a[0] >= 0 && a[1] >= 0 && a[2] >= 0 && a[0] < 5 && a[1] < 5 && a[2] < 5);
    int sum = a[0] + 2 * a[1] + 5 * a[2];
    assert(sum > 3);
}
