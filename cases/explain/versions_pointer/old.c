struct account { long balance; int blocked; unsigned char tries; };
static int failures;

int withdraw(struct account *a, int amount)
{
    if (!a || a->blocked)
        return -1;
    if (amount < 0 || a->balance < amount) {
        failures++;
        if (++a->tries >= 3)
            a->blocked = 1;
        return 0;
    }
    a->balance -= amount;
    a->tries = 0;
    return 1;
}
