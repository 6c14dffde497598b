/* A frame: its kind, how long its text is, the text, the sum of all that. The text is copied without asking for room. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ROOM 8

static char last[ROOM];

static uint8_t sum(const uint8_t *data, size_t size)
{
    uint8_t all = 0;
    for (size_t i = 0; i < size; i++)
        all = (uint8_t)(all + data[i]);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3 || data[0] != 0x7e)
        return 0;
    size_t length = data[1];
    if (length + 3 != size || sum(data, size - 1) != data[size - 1])
        return 0;
    memcpy(last, data + 2, length);
    return 0;
}
