/* The `else` looks as if it were of the first condition, and is of the second. */
static int speed(int warm, int hot, int manual)
{
    int level = 0;

    if (hot)
        if (!manual) level = 2;
    else if (warm)
        level = 1;
    return level;
}

int main(void)
{
    int warm = nondet_int() == 1, hot = nondet_int() == 1, manual = nondet_int() == 1;
    int wanted = hot ? 2 : warm;

    __CPROVER_assert(speed(warm, hot, manual) == wanted, "as fast as it is warm");
}
