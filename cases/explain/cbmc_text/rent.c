/* A day costs 3, and the reduction for long stays is taken off twice. */
#include <assert.h>

int nondet_int(void);

static int reduced(int days, int price)
{
    int less = days / 7;
    return price - less - less;
}

int main(void)
{
    int days = nondet_int();
    if (days < 1 || days > 60)
        return 0;
    int price = reduced(days, days * 3);
    price = reduced(0, price);
    assert(price >= days * 3 - days / 7);
    return 0;
}
