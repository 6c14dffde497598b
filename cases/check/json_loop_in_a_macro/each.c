#define EACH(i, n) for (int i = 0; i < (n); i++)

int main(void)
{
    int sum = 0;
    EACH(k, 2)
        sum += k;
    __CPROVER_assert(sum != 1, "two rounds");
}
