/* CBMC builds what pointers in arguments point to in the same way. */
struct node { short value; struct node *next; };

int chain(const struct node *list, short **extra)
{
    if (!list || !list->next || !extra || !*extra)
        return 0;
    int sum = list->value + list->next->value + **extra;
    __CPROVER_assert(sum != 7, "seven is taken");
    return sum;
}
