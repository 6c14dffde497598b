// Insert into and walk a search tree kept in an array of nodes.
struct tree { int key; struct tree *left, *right; };
static struct tree pool[16];
static int used;
static struct tree **find(struct tree **t, int key) {
    while (*t && (*t)->key != key) t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    return t;
}
static int walk(const struct tree *t, int h) { return t ? walk(t->right, (walk(t->left, h) * 31 + t->key) % 100003) : h; }
static int height(const struct tree *t) { if (!t) return 0; int l = height(t->left), r = height(t->right); return 1 + (l > r ? l : r); }
int main(void) {
    struct tree *root = 0;
    int keys[] = { 8, 3, 10, 1, 6, 14, 4, 7, 13, 3 };
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct tree **at = find(&root, keys[i]);
        if (!*at) { *at = &pool[used++]; (*at)->key = keys[i]; }
    }
    return walk(root, 0) + height(root) * 1000000 + used * 10000000;
}
