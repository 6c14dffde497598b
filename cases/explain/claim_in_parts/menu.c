#include <assert.h>
int nondet_int(void);
static const unsigned char items[3] = { 3, 2, 1 };
int main(void)
{
    int cursor = 0, page = 0;
    for (int i = 0; i < 4; i++) {
        int k = nondet_int();
        __CPROVER_assume(k >= 0 && k < 3);
        if (k == 1)
            cursor++;
        if (k == 2)
            page = 2;
        assert(cursor >= 0 && cursor < items[page]);
    }
    return 0;
}
