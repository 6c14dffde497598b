/* Operands from left to right, sequence points, values of assignments. */
#include <assert.h>

static int calls;
static int side(int v) { calls++; return v; }

int main(void)
{
    int i = 0, a[4] = {3, 1, 2};
    i = a[i++] + 0;
    assert(i == 3);
    int j = 0;
    int k = j++ + 10;
    assert(j == 1 && k == 10);
    k = ++j;
    assert(k == 2);
    assert(side(0) && side(1) ? 0 : 1);
    assert(calls == 1);
    assert(side(1) || side(1));
    assert(calls == 2);
    k = (side(3), side(4));
    assert(k == 4 && calls == 4);
    a[0] = 2;
    a[a[0]] = 0;
    assert(a[2] == 0);
    int self[2] = {0, 5};
    assert((self[self[0]] = 1) == 1);
    int *p = a;
    assert(*p++ == 2 && *p == 1 && p - a == 1 && p > a && p[-1] == 2);
    *p += 5;
    assert(a[1] == 6);
    p += 2;
    assert(p == &a[3]);
    p -= 3;
    assert(p == a);
    int x, y;
    x = y = 7;
    assert(x == 7 && y == 7);
    char narrow;
    int wide = narrow = 300;
    assert(wide == 44);
    int chosen = 1 ? 2 : side(3), other = 0 ?: 7;
    assert(chosen == 2 && other == 7 && calls == 4);
    chosen = calls > 100 ? side(1) : side(2);
    assert(chosen == 2 && calls == 5);
    int block = ({ int t = 4; t * t; });
    assert(block == 16);
    calls > 0 && side(1);
    calls > 0 || side(1);
    assert(calls == 6);
    return 0;
}
