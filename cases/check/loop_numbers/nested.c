int nondet_int(void);

/* A loop inside another has the smaller number: its jump back comes first. */
int main(void)
{
    int n = nondet_int(), total = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            total++;
        while (total > 100)
            total -= 10;
    }
    do {
        total++;
    } while (total < 5);
again:
    if (total++ < 10)
        goto again;
    while (total < 20) {
        if (total == 15) {
            total += 2;
            continue;
        }
        total++;
    }
    return 0;
}
