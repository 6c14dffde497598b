int main(void)
{
    int a[4] = {0, 1, 2, 3}, n;
    __CPROVER_assume(n > 0 ==> n < 4);
    if (n > 1)
        a[n] = a[n - 1];
    __CPROVER_assert(__CPROVER_forall { int i; (0 < i && i < 4) ==> a[i - 1] < a[i] }, "sorted");
    return 0;
}
