/* Is a character a digit? Everything is, with `||`. */
#include <assert.h>

#define IS_DIGIT(c) ((c) >= '0' || (c) <= '9')

char nondet_char(void);

static int value(char c)
{
    if (!IS_DIGIT(c))
        return -1;
    return c - '0';
}

int main(void)
{
    char c = nondet_char();
    int v = value(c);
    assert(v >= -1 && v <= 9);
    assert(c != '7' || v == 7);
}
