// The last member reaches as far as the memory does.
#include <stdlib.h>
struct text { int length; char bytes[]; };
struct node { short n; long v[]; };
int main(void) {
    struct text *t = malloc(sizeof *t + 5);
    if (!t) return -1;
    t->length = 5;
    for (int i = 0; i < t->length; i++) t->bytes[i] = (char)('a' + i);
    struct node *n = malloc(sizeof(struct node) + 3 * sizeof(long));
    if (!n) return -1;
    n->v[2] = 77; n->v[0] = 1;
    int r = t->bytes[4] + (int)n->v[2] * 1000 + (int)sizeof(struct node) * 100000;
    free(t); free(n);
    return r;
}
