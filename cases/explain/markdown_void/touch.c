#include <assert.h>
int nondet_int(void);
static int calls;
static void touch(int v) {
    if (v > 3)
        return;
    calls = calls + 1;
}
int main(void) {
    int a = nondet_int();
    touch(a);
    assert(calls == 1);
    return 0;
}
