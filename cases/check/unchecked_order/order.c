#include <assert.h>

int main(void)
{
    int a, b, both[2];
    assert(&both[0] < &both[1]);
    assert(&a < &b || &b < &a);
    assert(&a - &b != 1);
}
