int nondet_int(void);
static int stored[3];

/* Nobody but the formula reads what is stored. */
int main(void)
{
    int which = nondet_int();
    if (which < 0 || which > 2)
        return 0;
    stored[which] = 1;
    int count = nondet_int();
    return 0;
}
