#include <assert.h>

int main(void)
{
    int n, last;
    if (n < 2 || n > 6 || last < 0 || last > n)
        return 0;
    struct frame { unsigned char size; char data[n]; unsigned char sum; } f;
    f.size = n;
    f.sum = 0;
    for (int i = 0; i < n; i++)
        f.data[i] = i;
    f.sum += f.data[last];
    assert(f.sum == last);
    return 0;
}
