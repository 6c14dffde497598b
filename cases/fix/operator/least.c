/* The greater of two numbers is returned for the least. */
int least(int a, int b)
{
    return a > b ? a : b; /* one way round */
}

int main(void)
{
    int a, b;
    int found = least(a, b);
    __CPROVER_assert(found <= a && found <= b, "no more than either");
    __CPROVER_assert(found == a || found == b, "one of them");
}
