/* Four flags in a byte. */
#include <assert.h>

unsigned char nondet_uchar(void);

static unsigned char flags;

static void set(unsigned number, int on)
{
    if (on)
        flags |= (unsigned char)(1u << number);
}

static int get(unsigned number)
{
    return flags >> number & 1;
}

int main(void)
{
    unsigned number = nondet_uchar() % 4, other = nondet_uchar() % 4;
    flags = nondet_uchar() % 16;
    int on = nondet_uchar() % 2, before = get(other);
    set(number, on);
    assert(get(number) == on);
    assert(number == other || get(other) == before);
    return 0;
}
