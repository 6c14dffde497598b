#include <stddef.h>

struct pair {
    int left, right;
};

int main(void)
{
    struct pair one = { 1, 2 };
    struct pair *p = &one;
    p->left = 3;
    if (one.left == 3)
        p = NULL;
    return p->right;
}
