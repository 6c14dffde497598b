// flags: --unwind 6 --trust main --trust 'ref_*'
/*
 * A decoder of UTF-8 that takes the shortest forms only: no overlong ones, no
 * surrogates, nothing above U+10FFFF. The reference encodes.
 */
#include <assert.h>
#include <stdint.h>

unsigned char nondet_uchar(void);
unsigned nondet_unsigned(void);
void __CPROVER_assume(int);

#define BAD 0xffffffffu
#define LAST 0x10ffffu

static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};

static int is_following(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/* How many bytes a first byte asks for; 0 where it cannot be one. */
static int sequence_length(uint8_t byte)
{
    if (byte < 0x80)
        return 1;
    if ((byte & 0xe0) == 0xc0)
        return 2;
    if ((byte & 0xf0) == 0xe0)
        return 3;
    if ((byte & 0xf8) == 0xf0)
        return 4;
    return 0;
}

static int is_surrogate(uint32_t code)
{
    return code >= 0xd800 && code <= 0xdfff;
}

static uint32_t decode(const uint8_t *text, int available, int *used)
{
    int length = sequence_length(text[0]);
    uint32_t code;

    *used = 1;
    if (length == 0 || length > available)
        return BAD;
    if (length == 1)
        return text[0];
    code = text[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (!is_following(text[i]))
            return BAD;
        code = code << 6 | (text[i] & 0x3fu);
    }
    if (code < smallest[length] || code > LAST || is_surrogate(code))
        return BAD;
    *used = length;
    return code;
}

static int ref_encode(uint32_t code, uint8_t *out)
{
    if (code < 128) {
        out[0] = (uint8_t)code;
        return 1;
    }
    if (code < 2048) {
        out[0] = (uint8_t)(192 + code / 64);
        out[1] = (uint8_t)(128 + code % 64);
        return 2;
    }
    if (code >= 55296 && code < 57344)
        return 0;
    if (code < 65536) {
        out[0] = (uint8_t)(224 + code / 4096);
        out[1] = (uint8_t)(128 + code / 64 % 64);
        out[2] = (uint8_t)(128 + code % 64);
        return 3;
    }
    if (code >= 1114112)
        return 0;
    out[0] = (uint8_t)(240 + code / 262144);
    out[1] = (uint8_t)(128 + code / 4096 % 64);
    out[2] = (uint8_t)(128 + code / 64 % 64);
    out[3] = (uint8_t)(128 + code % 64);
    return 4;
}

int main(void)
{
    uint8_t text[4], again[4] = {0, 0, 0, 0};
    int available = nondet_uchar(), used = 0, length;
    uint32_t code, wanted = nondet_unsigned();

    for (int i = 0; i < 4; i++)
        text[i] = nondet_uchar();
    __CPROVER_assume(available >= 1 && available <= 4);

    /* What is read is what would be written. */
    code = decode(text, available, &used);
    assert(used >= 1 && used <= available);
    if (code != 0xffffffffu) {
        length = ref_encode(code, again);
        assert(length == used);
        for (int i = 0; i < 4; i++)
            assert(i >= used || text[i] == again[i]);
    } else {
        assert(used == 1);
    }

    /* What is written can be read. */
    length = ref_encode(wanted, again);
    if (length > 0) {
        assert(decode(again, length, &used) == wanted);
        assert(used == length);
    }
    return 0;
}
