/* What a static object starts with is converted, too, whether or not it is used. */
#include <assert.h>

int unused = 3000000000u;
signed char levels[3] = {1, 2, 130};

int main(void)
{
    static short kept = 40000 - 10000;
    static unsigned char folded = 0x1ff;

    assert(kept == 30000);
    assert(folded == 0xff);
    return 0;
}
