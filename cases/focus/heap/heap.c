/* A list of two numbers; the second node is linked before the first when both are
   equal, and then it is its own successor. */
#include <assert.h>
#include <stdlib.h>

struct node {
    int number;
    struct node *next;
};

static struct node *make(int number)
{
    struct node *made = malloc(sizeof *made);
    made->number = number;
    made->next = NULL;
    return made;
}

int main(int a, int b)
{
    struct node *first = make(a);
    struct node *second = make(b);
    struct node *list = first;
    if (a > b)
        list = second;
    if (a >= b)
        second->next = first;
    if (a <= b)
        first->next = second;
    assert(list->next->next == NULL);
    return 0;
}
