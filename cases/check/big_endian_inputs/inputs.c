/* A message from the network: on a big-endian machine its first byte is the highest of the number. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

unsigned char nondet_byte(void);
uint32_t nondet_number(void);

int main(void)
{
    unsigned char message[4];
    uint32_t number, garbage;
    for (int i = 0; i < 4; i++)
        message[i] = nondet_byte();
    memcpy(&number, message, 4);
    assert(number >> 24 == message[0]);
    assert((uint16_t)number == (message[2] << 8 | message[3]));
    unsigned char *part = (unsigned char *)&garbage;
    uint32_t index = nondet_number();
    if (index < 4) {
        part[index] = 0x5a;
        assert((garbage >> (24 - 8 * index) & 0xff) == 0x5a);
        assert(index != 2 || (garbage & 0xffff0000) != 0x12340000);
    }
    return 0;
}
