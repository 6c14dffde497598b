#define RATE 3

/* How many ticks until so many are there; none if they are. */
static int ticks(int wanted, int present)
{
    int missing = wanted - present;

    return (missing + RATE - 1) / RATE;
}

int main(void)
{
    int wanted, present, t;

    __CPROVER_assume(wanted >= 0 && wanted <= 20 && present >= 0 && present <= 20);
    t = ticks(wanted, present);
    __CPROVER_assert(t >= 0, "time does not go back");
    __CPROVER_assert(present + t * RATE >= wanted, "then they are there");
    __CPROVER_assert(t == 0 || present + (t - 1) * RATE < wanted, "and not before");
}
