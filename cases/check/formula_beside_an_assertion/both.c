#include <assert.h>
int nondet_int(void);
static int level;

int main(void)
{
    level = nondet_int() & 7;
    assert(level != 3);
    return 0;
}
