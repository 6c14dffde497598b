struct account { long balance; int blocked; unsigned char tries; };
static int failures;

static int failed(struct account *a)
{
    failures++;
    a->tries++;
    if (a->tries > 3)
        a->blocked = 1;
    return 0;
}

int withdraw(struct account *a, int amount)
{
    if (!a || a->blocked)
        return -1;
    if (amount < 0 || a->balance < amount)
        return failed(a);
    a->tries = 0;
    a->balance = a->balance - amount;
    return 1;
}
