unsigned nondet_unsigned(void);

static const int table[4] = { 2, 3, 5, 7 };

static int look_up(unsigned at)
{
    return table[at];
}

int main(void)
{
    unsigned at = nondet_unsigned();
    if (at > 4 || at < 4)
        return 0;
    return look_up(at);
}
