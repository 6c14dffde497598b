/* The sum of two bytes does not fit into one. */
#include <assert.h>

int nondet_int(void);

static int average(int a, int b)
{
    unsigned char sum = a + b;
    return sum / 2;
}

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    if (a < 0 || a > 200 || b < 0 || b > 200)
        return 0;
    int c = average(a, b);
    assert((c >= a || c >= b) && (c <= a || c <= b));
}
