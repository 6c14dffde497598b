#include <assert.h>

int main(void)
{
    short a[3];
    __CPROVER_array_set(a, 65543);
    assert(a[0] == 7 && a[2] == 7);
    assert(a[1] == 0);
}
