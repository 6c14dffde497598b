/* Every assertion holds on a big-endian machine (gcc for PowerPC), and most of them on no other. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

union word {
    uint32_t whole;
    uint16_t halves[2];
    unsigned char bytes[4];
};

struct flags {
    unsigned first : 3;
    unsigned second : 7;
    unsigned third : 6;
    unsigned : 0;
    unsigned char rest;
    int low : 4;
    int high : 12;
};

union view {
    struct flags flags;
    unsigned char bytes[sizeof(struct flags)];
};

struct packed {
    unsigned char kind;
    uint32_t length;
    uint16_t check;
} __attribute__((packed));

static union word constant = {0x01020304};
static const struct flags initial = {5, 100, 33, 9, -3, 1000};
static uint32_t table[2] = {0x11223344, 0x55667788};
static char text[8] = "big";
static uint64_t wide = 0x0102030405060708u;

static void unions(void)
{
    union word w;
    w.whole = 0xa1b2c3d4;
    assert(w.bytes[0] == 0xa1 && w.bytes[3] == 0xd4);
    assert(w.halves[0] == 0xa1b2 && w.halves[1] == 0xc3d4);
    w.bytes[1] = 0;
    assert(w.whole == 0xa100c3d4);
    w.halves[1] = 0x1234;
    assert(w.whole == 0xa1001234);
    assert(constant.bytes[0] == 1 && constant.halves[1] == 0x0304);
}

static void pointers(void)
{
    uint32_t x = 0x01020304;
    unsigned char *p = (unsigned char *)&x;
    assert(p[0] == 1 && p[3] == 4);
    p[3] = 9;
    assert(x == 0x01020309);
    assert(*(uint16_t *)(p + 2) == 0x0309);
    unsigned char *q = (unsigned char *)table;
    assert(q[4] == 0x55 && q[7] == 0x88);
    unsigned char *v = (unsigned char *)&wide;
    assert(v[0] == 1 && v[7] == 8 && *(uint32_t *)(v + 4) == 0x05060708);
    assert(*(uint32_t *)text == 0x62696700 && *(uint16_t *)(text + 1) == 0x6967);
}

static void copies(void)
{
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t x;
    uint16_t y;
    memcpy(&x, bytes + 2, 4);
    assert(x == 0x03040506);
    memcpy(&y, &x, 2);
    assert(y == 0x0304);
    memset(&x, 0, 3);
    assert(x == 6);
    double d = 1.5;
    memcpy(bytes, &d, 8);
    assert(bytes[0] == 0x3f && bytes[1] == 0xf8 && bytes[7] == 0);
}

static void fields(void)
{
    union view v;
    memset(&v, 0, sizeof v);
    v.flags.first = 5;
    v.flags.second = 100;
    v.flags.third = 33;
    assert(v.bytes[0] == 0xb9 && v.bytes[1] == 0x21);
    v.flags.rest = 7;
    v.flags.low = -3;
    v.flags.high = 1000;
    assert(v.bytes[4] == 7 && v.bytes[5] == 0xd3 && v.bytes[6] == 0xe8);
    v.bytes[0] = 0x40;
    assert(v.flags.first == 2 && v.flags.second == 0);
    v.bytes[5] = 0x2f;
    assert(v.flags.low == 2 && v.flags.high == -24);
    const unsigned char *p = (const unsigned char *)&initial;
    assert(p[0] == 0xb9 && p[1] == 0x21 && p[5] == 0xd3);
}

static void records(void)
{
    struct packed r = {1, 0x01020304, 0x0506};
    unsigned char *p = (unsigned char *)&r;
    assert(p[1] == 1 && p[4] == 4 && p[5] == 5);
    struct packed s = r;
    assert(s.length == 0x01020304 && s.check == 0x0506);
}

int main(void)
{
    unions();
    pointers();
    copies();
    fields();
    records();
    assert(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    return 0;
}
