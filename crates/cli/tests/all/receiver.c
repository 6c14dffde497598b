unsigned char nondet_uchar(void);

enum state { IDLE, LENGTH, PAYLOAD, CHECKSUM };

unsigned char buffer[8];

int main(void)
{
    enum state state = IDLE;
    unsigned char length = 0, filled = 0, frames = 0, sum = 0;
    for (int i = 0; i < 24; i++) {
        unsigned char byte = nondet_uchar();
        if (state == IDLE) {
            if (byte == 0x7e)
                state = LENGTH;
        } else if (state == LENGTH) {
            length = byte & 15;
            filled = sum = 0;
            state = length ? PAYLOAD : CHECKSUM;
        } else if (state == PAYLOAD) {
            buffer[filled++] = byte;
            sum += byte;
            if (filled == length)
                state = CHECKSUM;
        } else {
            frames += byte == sum;
            state = IDLE;
        }
    }
    return frames;
}
