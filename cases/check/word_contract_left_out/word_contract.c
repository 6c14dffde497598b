int twice(int x)
    __CPROVER_requires(x < 100)
    __CPROVER_ensures(__CPROVER_return_value == 2 * x)
{
    return 2 * x;
}

int main(void)
{
    return twice(3);
}
