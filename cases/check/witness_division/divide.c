int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 9)
        return 0;
    return 10 / (n - 4);
}
