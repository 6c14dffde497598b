#include <stddef.h>
#include <stdint.h>

static int table[4];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    if (data[0] == 'T')
        table[data[1] & 7] = 1;
    if (data[0] == 'D')
        return 100 / (data[1] - 'x');
    return 0;
}
