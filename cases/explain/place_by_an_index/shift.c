#include <assert.h>

int nondet_int(void);

static void insert(int *a, int j, int x)
{
    while (j > 0 && a[j - 1] > x) {
        a[j] = a[j - 1];
        j--;
    }
    a[j] = x;
}

// What `a[j]` is in the runs.
int main(void)
{
    int a[3] = {4, 7, 0}, x = nondet_int();
    __CPROVER_assume(x >= 0 && x < 10);
    insert(a, 2, x);
    assert(a[0] >= 2);
}
