/* A serial port: the driver waits until a byte is there, but looks at the
   wrong bit, and takes what it reads for a length. */
#include <assert.h>
#include <stdint.h>

struct port {
    volatile uint32_t status;
    volatile uint32_t data;
    uint32_t shadow[2];
};
#define PORT ((struct port *)0x40011000u)
#define READY 0x1u
#define ERROR 0x2u

static uint8_t buffer[4];

static int receive(void)
{
    uint32_t status = PORT->status;
    if (!(status & (READY | ERROR)))
        return -1;
    return (int)(PORT->data & 7u);
}

int main(void)
{
    int length = receive();
    PORT->shadow[0] = 7u;
    assert(PORT->shadow[0] == 7u);
    if (length >= 0)
        buffer[length] = 1;
    return 0;
}
