#include <assert.h>

int main(void)
{
    int count = 0;
    assert(__sync_fetch_and_add(&count, 0) == 0);
    assert(!__sync_bool_compare_and_swap(&count, 1, 2));
    assert(__atomic_exchange_n(&count, -1, __ATOMIC_SEQ_CST) == 0);
    return count + 1;
}
