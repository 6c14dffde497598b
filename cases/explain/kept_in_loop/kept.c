#include <assert.h>
int nondet_int(void);
int main(void)
{
    int n = nondet_int(), i = 0, ok = 1;
    if (n < 1 || n > 4) return 0;
    while (1) {
        if (i == n) break;
        if (i % 2 == 1) ok = !ok;
        i++;
    }
    if (i > 0)
        assert(ok);
    return 0;
}
