// flags: --unwind 7 --trust main --trust 'check_*'
/*
 * A sorted linked list without duplicates, with nodes on the heap: insertion,
 * removal, and reversal. The harness remembers in an array what must be there.
 */
#include <assert.h>
#include <stdlib.h>

unsigned char nondet_uchar(void);
int nondet_int(void);
void __CPROVER_assume(int);

struct node {
    int key;
    struct node *next;
};

struct list {
    struct node *first;
    int length;
};

static int insert(struct list *list, int key)
{
    struct node **link = &list->first;
    struct node *node;

    while (*link && (*link)->key < key)
        link = &(*link)->next;
    if (*link && (*link)->key == key)
        return 0;
    node = malloc(sizeof *node);
    if (node == NULL)
        return 0;
    node->key = key;
    node->next = *link;
    *link = node;
    list->length++;
    return 1;
}

static int withdraw(struct list *list, int key)
{
    struct node **link = &list->first;

    while (*link) {
        struct node *node = *link;

        if (node->key > key)
            break;
        if (node->key == key) {
            *link = node->next;
            list->length--;
            free(node);
            return 1;
        }
        link = &node->next;
    }
    return 0;
}

static void reverse(struct list *list)
{
    struct node *done = NULL;
    struct node *rest = list->first;

    while (rest != NULL) {
        struct node *next = rest->next;

        rest->next = done;
        done = rest;
        rest = next;
    }
    list->first = done;
}

#define KEYS 4
static int present[KEYS];

/* Ascending with sign 1, descending with -1; what is present, no more and no less. */
static void check_list(const struct list *list, int sign)
{
    const struct node *node = list->first;
    int count = 0, wanted = 0;

    for (int i = 0; i < KEYS; i++)
        wanted += present[i];
    for (int i = 0; i < KEYS && node; i++) {
        assert(node->key >= 0 && node->key < KEYS && present[node->key]);
        assert(!node->next || sign * node->key < sign * node->next->key);
        node = node->next;
        count++;
    }
    assert(node == NULL && count == wanted);
    assert(list->length == wanted);
}

int main(void)
{
    struct list list = {NULL, 0};

    for (int i = 0; i < 4; i++) {
        int key = nondet_uchar() % KEYS;

        if (nondet_int()) {
            assert(insert(&list, key) == !present[key]);
            present[key] = 1;
        } else {
            assert(withdraw(&list, key) == present[key]);
            present[key] = 0;
        }
    }
    check_list(&list, 1);
    reverse(&list);
    check_list(&list, -1);
    return 0;
}
