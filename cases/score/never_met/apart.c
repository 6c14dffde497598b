#include <assert.h>

static int lonely;

static void never_called(void)
{
    lonely = 3;
}

int main(void)
{
    void (*later)(void) = never_called;
    int first;
    int second;

    first = second;
    assert(first != 3 || later == 0);
}
