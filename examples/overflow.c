/*
 * Binary search by halving an interval of serial numbers: the first serial
 * number in [low, high] that is not below the wanted one.
 *
 * Wrong: the middle is computed as the average of the two ends, and for large
 * serial numbers their sum does not fit into an int although the interval
 * itself is short. No assertion is written; the overflow check finds it.
 *
 *     nearmiss check examples/overflow.c
 */
int nondet_int(void);
void __CPROVER_assume(int);

#define HALVINGS 3 /* enough for an interval of eight numbers */

static int found;

static int middle(int low, int high)
{
    return (low + high) / 2;
}

static int first_not_below(int low, int high, int wanted)
{
    for (int i = 0; i < HALVINGS; i++) {
        if (low < high) {
            int probe = middle(low, high);

            if (probe < wanted)
                low = probe + 1;
            else
                high = probe;
        }
    }
    return low;
}

int main(void)
{
    int low = nondet_int();
    int high = nondet_int();
    int wanted = nondet_int();

    __CPROVER_assume(low >= 0);
    __CPROVER_assume(high >= low);
    __CPROVER_assume(high - low <= 7);
    __CPROVER_assume(wanted >= low);
    __CPROVER_assume(wanted <= high);

    found = first_not_below(low, high, wanted);
}
