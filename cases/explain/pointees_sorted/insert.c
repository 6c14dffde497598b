/* What stands behind the new value in a sorted list is not looked at. */
struct node { int value; struct node *next; };

void insert_after(struct node *list, int value)
{
    if (!list || !list->next)
        return;
    __CPROVER_assume(list->value <= list->next->value);
    struct node *behind = list->next;
    if (value >= list->value)
        list->value = value;
    __CPROVER_assert(list->value <= behind->value, "still sorted");
}
