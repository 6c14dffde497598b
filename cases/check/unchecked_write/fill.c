#include <assert.h>

int main(void)
{
    int slots[4] = { 0 };
    int guard = 7;
    unsigned at;
    __CPROVER_assume(at < 6);
    slots[at] = 3;
    assert(guard == 7);
    assert(slots[at] == 3);
}
