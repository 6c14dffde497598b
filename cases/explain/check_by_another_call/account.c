#include <assert.h>

int nondet_int(void);
static int balance = 3;

static void post(int amount)
{
    balance += amount;
    assert(balance >= 0 || amount > 0);
}

// The check is come to by another call.
int main(void)
{
    int kind = nondet_int();
    __CPROVER_assume(kind >= 0 && kind < 2);
    switch (kind) {
    case 0:
        post(-4);
        break;
    default:
        post(-1);
    }
}
