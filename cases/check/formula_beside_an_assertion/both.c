#include <assert.h>
int nondet_int(void);
static int level;

int main(void)
{
    level = nondet_int();
    if (level < 0)
        level = 0;
    assert(level != 3);
    return 0;
}
