int nondet_int(void);

static int five(void)
{
    int five = 5;
    return five;
}

static void give(int *where)
{
    int what = five();
    *where = what;
}

/* Before their first values, and where they never have one, there is nothing to complain about. */
int main(void)
{
    int late, i;
    if (nondet_int() == 3)
        return 0;
    int taken = five();
    for (i = 0; i < 2; i++)
        give(&late);
    return taken + late;
}
