struct config { int rate, limit; };

int main(void)
{
    struct config config;
    __CPROVER_havoc_slice(&config.limit, sizeof config.limit);
    __CPROVER_assert(config.limit != 7, "seven");
    return 0;
}
