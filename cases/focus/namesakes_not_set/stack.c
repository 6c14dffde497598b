#include <assert.h>
int nondet_int(void);
/* stack machine: underflow guarded by short circuit, same names in functions */
static int st[4], sp;
static int push(int v) { return sp < 4 && (st[sp++] = v, 1); }
static int pop(int *v) { return sp > 0 && (*v = st[--sp], 1); }
static int op(int v)
{
    int a, b;
    switch (v) {
    case 0: return push(1);
    case 1: return pop(&a) && push(a + a);
    case 2: return pop(&b) && pop(&a) && push(a - b);
    default: return push(2) && push(3);
    }
}
int main(void)
{
    int v, a = 0, ok = 1;
    for (v = 0; v < 4 && ok; v++) {
        int b = nondet_int();
        __CPROVER_assume(b >= 0 && b <= 3);
        ok = op(b);
    }
    if (ok && pop(&a))
        assert(a >= 0 || sp > 0);
    assert(sp >= 0);
    return 0;
}
