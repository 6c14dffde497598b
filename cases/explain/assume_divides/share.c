int nondet_int(void);

int main(void)
{
    int parts = nondet_int();
    __CPROVER_assert(parts != 7, "not seven");
    return 0;
}
