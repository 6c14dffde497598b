int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    __CPROVER_assume(n % 2 == 0);
    __CPROVER_assert(n / 2 * 2 == n, "halves make a whole");
    return 0;
}
