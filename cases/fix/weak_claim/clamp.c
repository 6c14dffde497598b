/* Keeps a temperature between 5 and 30. The claim does not say that one between them stays. */
int clamp(int t)
{
    if (t < 5)
        t = 5;
    if (t > 31)
        t = 30;
    return t;
}

int main(void)
{
    int t;
    int kept = clamp(t);
    __CPROVER_assert(kept >= 5 && kept <= 30, "within the limits");
}
