#include <assert.h>
int nondet_int(void);
static int locks, fails;
static void work(int by)
{
    int rc = -1;
    locks++;
    if (by < 0) goto out;
    rc = by;
    locks--;
out:
    if (rc < 0) fails++;
}
int main(void)
{
    int y = nondet_int(), z = nondet_int();
    work(y);
    work(z);
    assert(fails > 1 || locks == 0);
    return 0;
}
