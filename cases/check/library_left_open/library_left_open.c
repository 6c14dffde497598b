#include <assert.h>
#include <stdlib.h>

/* Nobody knows here what mblen gives: what fails only with some of its results is left open, the rest is settled. */
int main(void)
{
    int length = mblen("a", 1), x;
    assert(length == length);
    if (x > 5)
        assert(length <= 1);
    return 0;
}
