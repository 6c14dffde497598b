#include <assert.h>
int nondet_int(void);
int t[4] = { 1, 2, 3, 4 };
int main(void)
{
    int a = nondet_int(), r = 0;
    if (!(a >= 0 && a < 4 && t[a] > 2)) {
        r = 1;
    }
    int q = a == 1 || (a >= 0 && a < 4 && t[a] == 2);
    int z = a > 0 && a < 3 ? t[a] : 0;
    while ((a < 0 || a > 3 || t[a] > 9) && a != 7)
        a = 7;
    assert(r == 0 || q == 0);
    return z;
}
