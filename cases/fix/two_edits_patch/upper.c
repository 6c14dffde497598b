/* A fault in each of two files. */
int nondet_int(void);
int lower(int t);

int upper(int t)
{
    if (t > 31)
        return 30;
    return t;
}

int main(void)
{
    int t = nondet_int();
    int kept = upper(lower(t));
    __CPROVER_assert(kept >= 5 && kept <= 30, "within");
    __CPROVER_assert(kept == t || t < 5 || t > 30, "what is within them stays");
}
