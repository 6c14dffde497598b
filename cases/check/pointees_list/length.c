/* A list is built for a pointer to it: up to five elements, each of its own. */
struct node { int value; struct node *next; };

int length(const struct node *list)
{
    int count = 0;
    for (; list; list = list->next)
        count++;
    __CPROVER_assert(count <= 5, "that is all");
    return count;
}
