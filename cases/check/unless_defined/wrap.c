#include <assert.h>

unsigned nondet_unsigned(void);

enum colour { RED = 1, GREEN = 2, BLUE = 4 };

int main(void)
{
    unsigned a = nondet_unsigned();
    unsigned twice = a * 2;
    unsigned char low = twice;
    enum colour mixed = RED | GREEN;
    assert(twice % 2 == 0);
    assert(low % 2 == 0);
    assert(twice != 6 || a == 3);
    assert(mixed == BLUE);
    return 0;
}
