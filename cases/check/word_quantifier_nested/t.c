#include <assert.h>

int main(void)
{
    int a[3] = {1, 2, 1};
    assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> __CPROVER_exists {int j;0 <= j && j < 3 && a[i] == a[j]} });
    assert(__CPROVER_forall {int i;__CPROVER_forall { int j; (0 <= i && i < 3 && 0 <= j && j < 3) ==> a[i] == a[j]}});
}
