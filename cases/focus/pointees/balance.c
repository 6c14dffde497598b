/* Ways to fail by what is in a tree. */
struct tree { int key; struct tree *left, *right; };

void balance(struct tree *root)
{
    if (!root)
        return;
    int low = root->key, high = root->key;
    if (root->left)
        low = root->left->key;
    if (root->right)
        high = root->right->key;
    __CPROVER_assert(low <= high, "ordered");
}
