/* Two bytes make a word, however many there are. */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    return data[0] << 8 | data[1];
}
