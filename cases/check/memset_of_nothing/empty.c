/* Setting no bytes changes nothing. */
#include <assert.h>
#include <string.h>

int nondet_int(void);

int main(void)
{
    int table[2] = {3, nondet_int()};

    memset(table, 0, 0);
    assert(table[0] == 3);
    return 0;
}
