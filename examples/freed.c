/*
 * A stack of numbers on the heap. Two numbers are pushed, one key is removed,
 * and the rest is added up.
 *
 * Wrong: when the key is on top of the stack, its node is freed but the
 * variable for the top still points to it, and the sum reads freed memory.
 * No assertion is written; the pointer check finds it.
 *
 *     nearmiss check examples/freed.c
 */
#include <stdlib.h>

unsigned nondet_unsigned(void);
void __CPROVER_assume(int);

struct item {
    unsigned number;
    struct item *below;
};

static struct item *top;
static unsigned sum;

static void push(unsigned number)
{
    struct item *item = malloc(sizeof *item);

    __CPROVER_assume(item != NULL);
    item->number = number;
    item->below = top;
    top = item;
}

static void remove_key(unsigned key)
{
    struct item *above = NULL;
    struct item *item = top;

    while (item != NULL && item->number != key) {
        above = item;
        item = item->below;
    }
    if (item == NULL)
        return;
    if (above != NULL)
        above->below = item->below;
    free(item);
}

static void add_up(void)
{
    for (const struct item *item = top; item != NULL; item = item->below)
        sum += item->number;
}

int main(void)
{
    push(nondet_unsigned());
    push(nondet_unsigned());
    remove_key(nondet_unsigned());
    add_up();
}
