/* Every call makes another one: no bound suffices, and none is an answer. */
static unsigned down(unsigned level)
{
    return down(level + 1);
}

int main(void)
{
    __CPROVER_assert(down(0) == 0, "never reached");
    return 0;
}
