#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

static int first_key(const struct node *list, int otherwise)
{
    int found = otherwise;

    found = list->key;
    return found;
}

int main(void)
{
    struct node only = {7, NULL};
    int empty, key;

    key = first_key(empty ? NULL : &only, -1);
    __CPROVER_assert(key == (empty ? -1 : 7), "of no list it is the other");
}
