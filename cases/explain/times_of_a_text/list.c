#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
/* malloc, list, double free path */
struct n { int v; struct n *next; };
int main(void)
{
    int k = nondet_int(), drop = nondet_int(), i;
    struct n *head = 0, *p;
    __CPROVER_assume(k >= 0 && k <= 3 && drop >= 0 && drop <= 5);
    for (i = 0; i < k; i++) {
        p = malloc(sizeof *p);
        p->v = i;
        p->next = head;
        head = p;
    }
    for (p = head; p; p = p->next)
        if (p->v == drop) {
            struct n *d = p->next;
            if (d)
                p->next = d->next;
            free(d);
            if (drop == 2 && d)
                head = d;
        }
    int sum = 0;
    for (p = head; p; p = p->next)
        sum += p->v;
    assert(sum <= 3);
    return 0;
}
