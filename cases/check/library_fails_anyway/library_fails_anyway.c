#include <assert.h>
#include <stdlib.h>

/* Whatever mblen gives, this fails. */
int main(void)
{
    int length = mblen("a", 1), x;
    if (length > 3)
        x = 3;
    assert(x != 3);
    return 0;
}
