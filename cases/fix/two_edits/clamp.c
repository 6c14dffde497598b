/* Both ends are wrong. */
int nondet_int(void);

int clamp(int t)
{
    if (t < 4)
        return 5;
    if (t > 31)
        return 30;
    return t;
}

int main(void)
{
    int t = nondet_int();
    int kept = clamp(t);
    __CPROVER_assert(kept >= 5 && kept <= 30, "within");
    __CPROVER_assert(kept == t || t < 5 || t > 30, "what is within them stays");
}
