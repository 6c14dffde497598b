/* The larger of two prices is taken, but never more than the budget: the last
 * line before the assertion takes the wrong one of the two. */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

static int budget = 50;
static int price;

static int larger(int left, int right)
{
    if (left > right)
        return left;
    return right;
}

int main(void)
{
    int left = nondet_int(), right = nondet_int();

    __CPROVER_assume(left >= 0 && left <= 100);
    __CPROVER_assume(right >= 0 && right <= 100);
    price = larger(left, right);
    if (price > budget)
        price = left;
    assert(price <= budget);
}
