#include <assert.h>

int nondet_int(void);

static int is_shut(int gap) { if (gap > 3) return 0; return 1; }
static int is_locked(int bolt) { return bolt >= 0; }

int main(void)
{
    int gap = nondet_int();
    int bolt = nondet_int();
    assert(is_shut(gap) && is_locked(bolt));
}
