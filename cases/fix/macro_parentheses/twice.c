/* Arguments and the whole of a macro want parentheses. */
#include <assert.h>

#define TWICE(x) x + x

int nondet_int(void);

static int six(int n)
{
    return 3 * TWICE(n);
}

int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 100)
        return 0;
    assert(six(n) == 6 * n);
}
