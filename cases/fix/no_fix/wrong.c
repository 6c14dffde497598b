/* No edit of one place makes a digit sum of this. */
unsigned nondet_unsigned(void);

unsigned digits(unsigned n)
{
    unsigned sum = 0;
    return sum;
}

int main(void)
{
    unsigned n = nondet_unsigned();
    if (n < 1000) {
        unsigned sum = digits(n);
        __CPROVER_assert(sum == n / 100 + n / 10 % 10 + n % 10, "digit sum");
    }
}
