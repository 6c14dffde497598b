/* The last element is left out of the sum. */
unsigned nondet_unsigned(void);

int main(void)
{
    unsigned n = nondet_unsigned(), sum = 0;
    for (unsigned i = 1; i < n; i++)
        sum += i;
    __CPROVER_assert(n > 3 || 2 * sum == n * (n + 1), "Gauss");
}
