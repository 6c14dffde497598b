/* Two faults; the first one is fixed, and nothing is said of the other. */
int nondet_int(void);

int main(void)
{
    int n = nondet_int(), m = nondet_int();
    int sign = n > 0 ? -1 : 0;
    __CPROVER_assert(n <= 0 || sign == 1, "the sign");
    __CPROVER_assert(m != 7, "not seven");
}
