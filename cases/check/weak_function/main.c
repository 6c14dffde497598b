#include <assert.h>

void traced(int) __attribute__((weak));
int rate(int x) __attribute__((weak));
int given(int x) __attribute__((weak));
int (*const chosen)(int) = rate;
int nondet_int(void);

int given(int x) { return x + 1; }

int main(void)
{
    int x = nondet_int();
    if (traced)
        traced(x);
    assert(!traced && chosen == 0 && given(1) == 2);
    if (x == 7)
        assert(given != 0 && rate != 0);
    return 0;
}
