#include <assert.h>

static int lonely;

int main(void)
{
    int first;
    int second;

    lonely = 3;
    first = second;
    assert(first != 3);
}
