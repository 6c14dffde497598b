int main(void)
{
    unsigned n;
    __CPROVER_assert(n % 4 < 4, "small");
}
