/* Messages of up to three bytes behind their length; an escaped byte is sent with bit 5 turned. */
#include <assert.h>

unsigned char nondet_uchar(void);

enum { LENGTH, BODY, ESCAPED, DONE } state;
unsigned char length, got, text[3];

void receive(unsigned char byte)
{
    switch (state) {
    case LENGTH:
        if (byte == 0 || byte > 3)
            return;
        length = byte;
        got = 0;
        state = BODY;
        break;
    case BODY:
        if (byte == 0x1b) { state = ESCAPED; break; }
        state = BODY;
        text[got++] = byte;
        if (got == length) state = DONE;
        break;
    case ESCAPED:
        state = BODY;
        text[got++] = byte ^ 0x20;
        break;
    case DONE:
        state = LENGTH;
        break;
    }
}

int main(void)
{
    for (int i = 0; i < 5; i++) {
        receive(nondet_uchar());
        assert(got <= length);
    }
    return 0;
}
