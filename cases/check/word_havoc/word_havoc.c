struct config { int rate, limit; };

int main(void)
{
    struct config config = {10, 20};
    __CPROVER_havoc_slice(&config.limit, sizeof config.limit);
    __CPROVER_assume(__CPROVER_r_ok(&config, sizeof config));
    __CPROVER_assert(config.limit != 7, "seven");
    return 0;
}
