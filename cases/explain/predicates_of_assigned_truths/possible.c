#include <assert.h>
int nondet_int(void);
static int alim(int k) { return k ? 300 : 500; }
static int ok(int down, int up, int k) {
    int possible = up > 100 && !(down > alim(k));
    return possible;
}
int main(void) {
    int down = nondet_int(), up = nondet_int(), k = nondet_int();
    int r = ok(down, up, k);
    assert(!r);
}
