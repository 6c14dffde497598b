#include <assert.h>
#include <string.h>

int main(void)
{
    char from[4] = "abc", to[8] = "";
    unsigned n;
    __CPROVER_assume(n <= 8);
    memcpy(to, from, n);
    assert(to[7] == 0);
}
