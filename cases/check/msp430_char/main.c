/* char has no sign on MSP430, and everything is aligned to 2 bytes at most. */
#include <assert.h>

struct mixed {
    char c;
    long l;
    char d;
    double x;
};

int main(void)
{
    char c = (char)-1;
    assert(sizeof(struct mixed) == 16);
    assert(c == 255);
    assert(c < 0);
}
