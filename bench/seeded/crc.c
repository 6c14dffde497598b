// flags: --unwind 10 --trust main --trust 'ref_*'
/*
 * Frames with a checksum: a CRC of 16 bits (polynomial 0x1021), four bits at a
 * time with a table, behind a length and the bytes. The reference divides bit
 * by bit.
 */
#include <assert.h>
#include <stdint.h>

unsigned char nondet_uchar(void);
void __CPROVER_assume(int);

#define MOST 3
#define HEADER 1
#define START 0xffff

static const uint16_t table[16] = {
    0x0000, 0x1021, 0x2042, 0x3063,
    0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b,
    0xc18c, 0xd1ad, 0xe1ce, 0xf1ef,
};

static uint16_t crc_update(uint16_t crc, uint8_t byte)
{
    unsigned top = crc >> 12 ^ byte >> 4;

    crc = (uint16_t)(crc << 4 ^ table[top & 15]);
    top = crc >> 12 ^ (byte & 15);
    crc = (uint16_t)(crc << 4 ^ table[top & 15]);
    return crc;
}

static uint16_t crc_of(const uint8_t *bytes, int count)
{
    uint16_t crc = START;

    for (int i = 0; i < count; i++)
        crc = crc_update(crc, bytes[i]);
    return crc;
}

/* A frame of the bytes; how long it is. */
static int frame_write(uint8_t *frame, const uint8_t *bytes, int count)
{
    uint16_t crc;
    int end = HEADER + count;

    frame[0] = (uint8_t)count;
    for (int i = 0; i < count; i++)
        frame[HEADER + i] = bytes[i];
    crc = crc_of(frame, end);
    frame[end] = (uint8_t)(crc >> 8);
    frame[end + 1] = (uint8_t)(crc & 0xff);
    return end + 2;
}

/* The number of bytes in a frame, or -1 where it is damaged. */
static int frame_read(const uint8_t *frame, int length)
{
    int count, end;
    uint16_t crc;

    if (length < HEADER + 2)
        return -1;
    count = frame[0];
    end = HEADER + count;
    if (end + 2 != length)
        return -1;
    crc = crc_of(frame, end);
    if (frame[end] != crc >> 8 || frame[end + 1] != (crc & 0xff))
        return -1;
    return count;
}

static unsigned ref_crc(const uint8_t *bytes, int count)
{
    unsigned crc = 0xffff;

    for (int i = 0; i < 4 && i < count; i++) {
        crc ^= (unsigned)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc <<= 1;
            if (crc & 0x10000)
                crc ^= 0x11021;
        }
    }
    return crc;
}

int main(void)
{
    uint8_t bytes[MOST], frame[MOST + 3];
    int count = nondet_uchar(), place = nondet_uchar(), length;
    uint8_t noise = nondet_uchar();

    __CPROVER_assume(count <= MOST);
    for (int i = 0; i < 3; i++)
        bytes[i] = nondet_uchar();
    length = frame_write(frame, bytes, count);
    assert(length == count + 3 && frame[0] == count);
    for (int i = 0; i < count; i++)
        assert(frame[1 + i] == bytes[i]);
    assert(((unsigned)frame[count + 1] << 8 | frame[count + 2]) == ref_crc(frame, count + 1));
    assert(frame_read(frame, length) == count);

    /* Noise within one byte is noticed. */
    __CPROVER_assume(place < length && noise != 0);
    frame[place] ^= noise;
    assert(frame_read(frame, length) == -1);
    return 0;
}
