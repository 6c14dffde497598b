void __CPROVER_asume(_Bool);

int main(void)
{
    int x;
    __CPROVER_asume(x > 3);
    __CPROVER_assert(x > 3, "assumed");
    return 0;
}
