#include <assert.h>
#include <stdio.h>

int main(void)
{
    int numbers[3], count = 0;
    while (scanf("%d", &numbers[count++]) == 1)
        assert(count == 1 || numbers[count - 2] <= numbers[count - 1]);
    return 0;
}
