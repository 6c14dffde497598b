/* A string behind a pointer to a pointer. */
int option(const char *const *word)
{
    if (!word || !*word)
        return 0;
    int kind = 0;
    if ((*word)[0] == '-')
        kind = (*word)[1];
    __CPROVER_assert(kind != 'x', "there is no such option");
    return kind;
}
