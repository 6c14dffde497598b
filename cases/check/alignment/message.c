#include <assert.h>
#include <stdint.h>

unsigned nondet_unsigned(void);

struct __attribute__((packed)) header {
    uint8_t kind;
    uint32_t length;
};

static uint32_t length_of(const uint8_t *message)
{
    return ((const struct header *)message)->length;
}

static uint32_t word_at(const uint8_t *message, unsigned at)
{
    return *(const uint32_t *)(message + at);
}

int main(void)
{
    uint8_t message[16] = {1, 8};
    unsigned at = 2 * (nondet_unsigned() % 4);
    uint32_t length = length_of(message + 1);
    return length + word_at(message, at);
}
