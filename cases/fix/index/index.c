/* The loop goes one element too far. */
int nondet_int(void);

int main(void)
{
    int table[4], sum = 0;
    for (int i = 0; i <= 4; i++)
        table[i] = nondet_int() & 7;
    for (int i = 0; i < 4; i++)
        sum += table[i];
    __CPROVER_assert(sum <= 28, "few");
}
