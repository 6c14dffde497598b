#include <string.h>

unsigned nondet_unsigned(void);

static unsigned char frame[8];

static void put(const unsigned char *data, unsigned length)
{
    memcpy(frame + 2, data, length);
}

int main(void)
{
    unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned length = nondet_unsigned();
    if (length <= sizeof frame)
        put(data, length);
    return frame[2];
}
