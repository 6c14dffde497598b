#include <assert.h>

struct entry { int weight; struct entry *next; };

/* Takes three entries; the list may be shorter. */
int sum(struct entry *first)
{
    int total = 0;
    struct entry *e = first;
    for (int i = 0; i < 3; i++) {
        total += e->weight & 7;
        e = e->next;
    }
    return total;
}

int main(void)
{
    struct entry b = { 2, 0 };
    struct entry a = { 1, &b };
    assert(sum(&a) == 3);
}
