/* Who calls a function with a pointer may give NULL, unless the function says that nobody does. */
struct item { int value; int next; };

int length(const struct item *first, const struct item *second, const char *name)
{
    __CPROVER_assume(second != 0);
    int sum = second->value & 7;
    if (name != 0 && name[0] == 'x')
        sum += first->value & 7;
    return sum;
}
