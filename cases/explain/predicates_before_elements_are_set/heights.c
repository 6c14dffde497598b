#include <assert.h>
int nondet_int(void);

static void sort(int *height, int n)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 2 - i; j++)
            if (height[j] > height[j + 1]) {
                int higher = height[j];
                height[j] = height[j + 1];
                height[j + 1] = higher;
            }
}

int main(void)
{
    int height[3];
    for (int i = 0; i < 3; i++) {
        height[i] = nondet_int();
        __CPROVER_assume(height[i] >= 0 && height[i] <= 3);
    }
    sort(height, 3);
    assert(height[0] <= height[1] && height[1] <= height[2]);
    return 0;
}
