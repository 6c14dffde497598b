/* A tag of 0 is none. An unsigned number is never less than 0: that is not worth saying. */
#include <assert.h>
#include <stdint.h>

uint8_t nondet_byte(void);

static int is_tagged(uint8_t tag)
{
    return tag >= 0;
}

int main(void)
{
    uint8_t tag = nondet_byte();
    int found = 0;
    if (is_tagged(tag))
        found = tag * 2;
    assert(!is_tagged(tag) || found != 0);
}
