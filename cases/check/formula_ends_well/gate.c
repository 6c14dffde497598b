static int open;

/* The gate is closed again at the end: that is not when the formula was violated. */
static void pass(void)
{
    open = 1;
    open = 0;
}

int main(void)
{
    pass();
    return 0;
}
