#include <assert.h>
int nondet_int(void);
int main(void) {
    int x = nondet_int();
    if (x < -1000 || x > 1000) return 0;
    int y = x + 2;
    int z = y;
    assert(z >= 5);
}
