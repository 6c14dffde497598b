/*
 * Splits a bill among at least two guests: how many of them pay depends on the
 * occasion, and each of those pays the same share.
 *
 * Wrong: the birthday case runs on into the voucher case. Two guests are then
 * taken off instead of one, and a birthday party of two leaves nobody to
 * divide by. No assertion is written; the division check finds it.
 *
 *     nearmiss check examples/divide.c
 */
int nondet_int(void);
void __CPROVER_assume(int);

enum occasion { ORDINARY, ON_THE_HOUSE, BIRTHDAY, VOUCHER };

static int each;

static int share(int occasion, int bill, int guests)
{
    int paying = guests;

    switch (occasion) {
    case ON_THE_HOUSE:
        bill = 0;
        break;
    case BIRTHDAY: /* the guest of honour does not pay */
        paying--;
        /* fall through */
    case VOUCHER: /* one meal is free */
        paying--;
        break;
    default:
        break;
    }
    return bill / paying;
}

int main(void)
{
    int occasion = nondet_int();
    int bill = nondet_int();
    int guests = nondet_int();

    __CPROVER_assume(occasion >= ORDINARY && occasion <= VOUCHER);
    __CPROVER_assume(bill >= 0 && bill <= 10000);
    __CPROVER_assume(guests >= 2 && guests <= 20);

    each = share(occasion, bill, guests);
}
