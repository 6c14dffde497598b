/*
 * A ring buffer of three slots. Six events, each a put or a get; what comes
 * out must be what went in, in the same order.
 *
 * Wrong: the reading end wraps one slot too early, so that the value in the
 * last slot is skipped and an old one is read in its place.
 *
 *     nearmiss check examples/ring.c
 */
#include <assert.h>

int nondet_int(void);

#define SLOTS 3
#define EVENTS 6

struct ring {
    int slot[SLOTS];
    int write;
    int read;
    int used;
};

static void put(struct ring *ring, int value)
{
    ring->slot[ring->write] = value;
    ring->write++;
    if (ring->write == SLOTS)
        ring->write = 0;
    ring->used++;
}

static int get(struct ring *ring)
{
    int value = ring->slot[ring->read];

    ring->read++;
    if (ring->read == SLOTS - 1)
        ring->read = 0;
    ring->used--;
    return value;
}

int main(void)
{
    struct ring ring = {{0, 0, 0}, 0, 0, 0};
    int sent[EVENTS] = {0, 0, 0, 0, 0, 0};
    int puts = 0;
    int gets = 0;

    for (int i = 0; i < EVENTS; i++) {
        if (nondet_int() > 0) {
            if (ring.used < SLOTS) {
                int value = nondet_int();

                put(&ring, value);
                sent[puts] = value;
                puts++;
            }
        } else if (ring.used > 0) {
            int value = get(&ring);

            assert(value == sent[gets]);
            gets++;
        }
    }
}
