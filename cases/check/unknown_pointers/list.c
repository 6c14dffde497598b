#include <assert.h>

struct item {
    int value;
    struct item *next;
};

void link_up(struct item *first);

int main(void)
{
    struct item second = {2, 0}, first = {1, &second};
    link_up(&first);
    if (first.next == &second)
        assert(second.value == 3);
    return 0;
}
