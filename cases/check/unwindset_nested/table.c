/* main.0 is the inner loop, which needs 4 rounds, and main.1 the outer one, which needs 3. */
int main(void)
{
    int cells = 0;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            cells++;
    __CPROVER_assert(cells == 6, "two rows of three");
    return 0;
}
