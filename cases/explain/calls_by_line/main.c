#include <assert.h>

int nondet_int(void);

/* The call in line 7 is one of nondet_int() as well: those of the loop are counted by their line. */
int main(void) {
    int wanted = nondet_int(), sum = 0;
    for (int i = 0; i < 3; i++)
        sum += nondet_int() == wanted;
    assert(sum < 3);
    return 0;
}
