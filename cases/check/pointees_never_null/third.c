/* The first three pointers on every way are not NULL. */
struct node { int value; struct node *next; };

int third(const struct node *list)
{
    return list->next->next->value;
}
