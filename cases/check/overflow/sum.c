int nondet_int(void);

int main(void)
{
    int a = nondet_int(), b = 1;
    if (a < 2147483647)
        return 0;
    return a + b;
}
