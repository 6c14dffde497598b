/* No edit of one place makes a digit sum of this. */
unsigned nondet_unsigned(void);

int main(void)
{
    unsigned n = nondet_unsigned() % 1000;
    unsigned sum = 0;
    __CPROVER_assert(sum == n / 100 + n / 10 % 10 + n % 10, "digit sum");
}
