/* Nothing is aligned on AVR, enumerations are ints, and pointers have 16 bits. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

enum state { IDLE, BUSY };

struct packet {
    uint8_t kind;
    uint16_t length;
    uint8_t flags : 3;
    uint16_t channel : 12;
    uint16_t number : 9;
    enum state state;
    uint32_t time;
    uint8_t *data;
};

_Static_assert(sizeof(int) == 2 && sizeof(1) == 2 && sizeof 'a' == 2, "16 bits");
_Static_assert(sizeof(long) == 4 && sizeof(size_t) == 2 && sizeof(enum state) == 2, "32 and 16 bits");

static uint8_t bytes[4] = {1, 2, 3, 4};

int main(void)
{
    struct packet p = {1, 2, 3, 4, 5, BUSY, 100000, bytes};
    assert(offsetof(struct packet, length) == 1);
    assert(offsetof(struct packet, state) == 6);
    assert(offsetof(struct packet, time) == 8);
    assert(offsetof(struct packet, data) == 12);
    assert(sizeof p == 14);
    uintptr_t address = (uintptr_t)(p.data + 2);
    assert(*(uint8_t *)address == 3);
    uint16_t all = 0xffff;
    assert(all + 1 == 0 && sizeof(all + p.time) == 4);
    assert(sizeof p == 20);
    return 0;
}
