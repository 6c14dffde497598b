/* A colour and a shift that sum up to 3 in magnitude: of all ways, the one whose colour has a name is shown. */
#include <assert.h>

enum colour { RED = 2, GREEN = 5, BLUE = 9 };

enum colour nondet_colour(void);
int nondet_int(void);

int main(void)
{
    enum colour colour = nondet_colour();
    int shift = nondet_int();

    assert((int)colour + shift != 3);
    return 0;
}
