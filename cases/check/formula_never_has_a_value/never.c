_Bool nondet_bool(void);

/* Where there never is a result, it never becomes 5. */
int main(void)
{
    if (nondet_bool())
        return 1;
    int result = 5;
    return result - 5;
}
