#include <assert.h>
#include <limits.h>

char nondet_char(void);

int main(void)
{
    char c = nondet_char();
    assert(CHAR_MIN == 0);
    assert(c >= 0);
    assert(c != 200);
    return 0;
}
