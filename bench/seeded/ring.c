// flags: --unwind 6 --trust main --trust 'ref_*'
/*
 * A ring buffer that overwrites nothing: put refuses when it is full, get when
 * it is empty, and unput takes back the newest. The reference keeps its
 * elements in order and moves them.
 */
#include <assert.h>
#include <stdbool.h>

int nondet_int(void);
unsigned char nondet_uchar(void);

#define SIZE 4

struct ring {
    unsigned char data[SIZE];
    unsigned head;
    unsigned tail;
    unsigned count;
};

static void ring_clear(struct ring *ring)
{
    ring->head = 0;
    ring->tail = 0;
    ring->count = 0;
}

static bool ring_put(struct ring *ring, unsigned char byte)
{
    if (ring->count == SIZE)
        return false;
    ring->data[ring->head] = byte;
    ring->head = (ring->head + 1) % SIZE;
    ring->count++;
    return true;
}

static bool ring_get(struct ring *ring, unsigned char *byte)
{
    if (ring->count == 0)
        return false;
    *byte = ring->data[ring->tail];
    ring->tail++;
    if (ring->tail == SIZE)
        ring->tail = 0;
    ring->count--;
    return true;
}

static bool ring_unput(struct ring *ring, unsigned char *byte)
{
    if (ring->count == 0)
        return false;
    ring->head = (ring->head + SIZE - 1) % SIZE;
    *byte = ring->data[ring->head];
    ring->count--;
    return true;
}

static int ring_find(const struct ring *ring, unsigned char byte)
{
    unsigned place = ring->tail;

    for (unsigned i = 0; i < ring->count; i++) {
        if (ring->data[place] == byte)
            return (int)i;
        place = place + 1 < SIZE ? place + 1 : 0;
    }
    return -1;
}

static unsigned char ref_data[5];
static int ref_count;

static void ref_shift(void)
{
    for (int i = 0; i < 4; i++)
        ref_data[i] = ref_data[i + 1];
    ref_count--;
}

static int ref_find(unsigned char byte)
{
    for (int i = 0; i < 4; i++)
        if (i < ref_count && ref_data[i] == byte)
            return i;
    return -1;
}

int main(void)
{
    struct ring ring;
    unsigned char sought = nondet_uchar();

    ring_clear(&ring);
    for (int step = 0; step < 5; step++) {
        unsigned char byte = nondet_uchar();
        int action = nondet_int();

        if (action == 0) {
            bool done = ring_put(&ring, byte);

            assert(done == (ref_count < 4));
            if (done)
                ref_data[ref_count++] = byte;
        } else if (action == 1) {
            bool done = ring_get(&ring, &byte);

            assert(done == (ref_count > 0));
            if (done) {
                assert(byte == ref_data[0]);
                ref_shift();
            }
        } else {
            bool done = ring_unput(&ring, &byte);

            assert(done == (ref_count > 0));
            if (done)
                assert(byte == ref_data[--ref_count]);
        }
    }
    assert(ring_find(&ring, sought) == ref_find(sought));
    return 0;
}
