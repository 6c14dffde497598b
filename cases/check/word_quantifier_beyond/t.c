#include <assert.h>

int main(void)
{
    unsigned char a[4];
    unsigned n;
    assert(__CPROVER_exists { unsigned i; i < n && i > 1 && (i > 3 || a[i] == 0) });
}
