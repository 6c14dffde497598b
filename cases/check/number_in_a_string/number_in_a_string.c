#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    char text[4], *end;
    text[3] = 0;
    long number = strtol(text, &end, 10);
    assert(number >= -99 && number <= 999);
    assert(end >= text && end <= text + 3);
    assert(errno == 0);
    assert(number != 123);
    return 0;
}
