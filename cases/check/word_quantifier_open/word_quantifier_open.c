int main(void)
{
    int a[8], n;
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }, "zeros");
    return 0;
}
