#include <assert.h>
int nondet_int(void);

static int opened, closed;

static int open_gate(int key)
{
    if (!key)
        return -1;
    opened++;
    return 0;
}

static void close_gate(void)
{
    closed++;
}

int main(void)
{
    int front = nondet_int(), back = nondet_int();
    if (open_gate(front))
        goto out;
    if (open_gate(back))
        goto one;
    if (back > 2)
        goto one;
    close_gate();
one:
    close_gate();
out:
    assert(opened == closed);
    return 0;
}
