int nondet_int(void);
#define REQUIRE(c) __CPROVER_assert(c, #c)

int main(void)
{
    int n = nondet_int();
    REQUIRE(n != 4);
    if (n > 3)
        REQUIRE(n != 5);
    else
        REQUIRE(n < 4);
    return 0;
}
