#include <stdbool.h>
#define SIZE 4

struct ring {
    int data[SIZE];
    int head, count;
};

/* That the ring is full is not asked. */
static bool put(struct ring *ring, int value)
{
    ring->data[(ring->head + ring->count) % SIZE] = value;
    ring->count++;
    return true;
}

int main(void)
{
    struct ring ring = {{0}, 0, 0};
    int wanted;

    __CPROVER_assume(wanted >= 0 && wanted <= 6);
    for (int i = 0; i < wanted; i++) {
        bool done = put(&ring, 1);
        __CPROVER_assert(done == (i < SIZE), "only so many fit");
    }
}
