/* Who fails while the lock is held must go past its release. */
#include <assert.h>

int nondet_int(void);

static int opened, locked, done;

static int work(int first, int second)
{
    int result = -1;
    opened++;
    if (first)
        goto close;
    locked++;
    if (second)
        goto close;
    done++;
    result = 0;
unlock:
    locked--;
close:
    opened--;
    return result;
}

int main(void)
{
    int first = nondet_int(), second = nondet_int();
    int result = work(first, second);
    assert(opened == 0 && locked == 0);
    assert((result == 0) == (!first && !second));
    assert(done == (result == 0));
}
