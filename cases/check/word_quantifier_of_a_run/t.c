#include <assert.h>

int main(void)
{
    unsigned char a[4];
    unsigned n, k;
    __CPROVER_assume(n <= 4);
    __CPROVER_assume(__CPROVER_forall { unsigned i; i < n ==> a[i] == 0 });
    if (k < n)
        assert(a[k] == 0);
    assert(n != 4 || a[3] == 0);
    assert(n != 3 || a[3] == 0);
}
