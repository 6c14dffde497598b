#include <assert.h>

static int square(int n)
{
    int result = n * n;
    return result;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 30; i++) {
        int s = square(i);
        sum += s;
    }
    assert(sum == 0);
}
