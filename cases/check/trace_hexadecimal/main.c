/* Values are written the way the program writes them: bits in hexadecimal, counts in decimal, characters as characters. */
#include <assert.h>

#define READY 0x80

unsigned nondet_unsigned(void);
char nondet_char(void);
int nondet_int(void);

struct port {
    unsigned char status;
    int errors;
};

int main(void)
{
    unsigned word = nondet_unsigned();
    unsigned low = word >> 4 & 0xff;
    struct port port = { nondet_unsigned(), 20 };
    char letter = nondet_char();
    int count = nondet_int();

    if (port.status & READY && letter > 'p' && count == 30 && port.errors < count)
        assert(low != 0xa5);
    return 0;
}
