#include <assert.h>

int main(void)
{
    int n = 0;
    while (n < 1000)
        n++;
    assert(n == 1000);
}
