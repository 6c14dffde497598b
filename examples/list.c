/*
 * A sorted list of numbers on the heap. Three numbers are inserted, one key is
 * removed, and the list must then hold exactly the numbers that were not
 * removed.
 *
 * Wrong: after unlinking a node in the middle or at the end, removal returns
 * the predecessor of that node as the head of the list; whatever came before
 * the predecessor is lost.
 *
 *     nearmiss check examples/list.c
 */
#include <assert.h>
#include <stdlib.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define NUMBERS 3

struct node {
    int number;
    struct node *next;
};

static struct node *list;
static int removed; /* how many nodes were unlinked so far */

static struct node *insert_sorted(struct node *head, int number)
{
    struct node *fresh = malloc(sizeof *fresh);
    struct node *before = NULL;
    struct node *here = head;

    __CPROVER_assume(fresh != NULL);
    while (here != NULL && here->number < number) {
        before = here;
        here = here->next;
    }
    fresh->number = number;
    fresh->next = here;
    if (before == NULL)
        return fresh;
    before->next = fresh;
    return head;
}

static struct node *remove_first(struct node *head, int key)
{
    struct node *before = NULL;
    struct node *here = head;

    while (here != NULL && here->number < key) {
        before = here;
        here = here->next;
    }
    if (here == NULL || here->number != key)
        return head;
    if (before == NULL) {
        head = here->next;
    } else {
        before->next = here->next;
        head = before;
    }
    free(here);
    removed++;
    return head;
}

static int length(const struct node *head)
{
    int n = 0;

    while (head != NULL) {
        n++;
        head = head->next;
    }
    return n;
}

int main(void)
{
    for (int i = 0; i < NUMBERS; i++)
        list = insert_sorted(list, nondet_int());
    list = remove_first(list, nondet_int());
    assert(length(list) == NUMBERS - removed);
}
