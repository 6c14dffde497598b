/* Greatest and least are both wrong, and no edit or two make them right. */
int nondet_int(void);

int low, high;

void look(int a, int b, int c)
{
    low = a < b ? a : c;
    high = a > b ? a : c;
}

int main(void)
{
    int a = nondet_int(), b = nondet_int(), c = nondet_int();
    __CPROVER_assume(a >= 0 && a < 9 && b >= 0 && b < 9 && c >= 0 && c < 9);
    look(a, b, c);
    __CPROVER_assert(low <= a && low <= b && low <= c && (low == a || low == b || low == c), "least");
    __CPROVER_assert(high >= a && high >= b && high >= c && (high == a || high == b || high == c), "greatest");
}
