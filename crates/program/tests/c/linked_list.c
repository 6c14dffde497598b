// Build, reverse, sum and free a list.
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->value = value; n->next = head;
    return n;
}
static struct node *reverse(struct node *head) {
    struct node *r = NULL;
    while (head) { struct node *next = head->next; head->next = r; r = head; head = next; }
    return r;
}
int main(void) {
    struct node *l = NULL;
    for (int i = 1; i <= 6; i++) l = push(l, i * i);
    l = reverse(l);
    int h = 0;
    for (struct node *n = l; n; n = n->next) h = h * 7 + n->value;
    while (l) { struct node *next = l->next; free(l); l = next; }
    return h;
}
