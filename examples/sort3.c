/*
 * Puts three numbers in ascending order by three conditional exchanges:
 * the first pair, the second pair, and the first pair once more.
 *
 * Wrong: the last comparison is the wrong way round, so a pair in order is
 * exchanged and a pair out of order is left alone.
 * The parameters of the entry function are the inputs.
 *
 *     nearmiss check --function sort3 examples/sort3.c
 */
#include <assert.h>

void sort3(int a, int b, int c)
{
    int spare;

    if (b < a) {
        spare = a;
        a = b;
        b = spare;
    }
    if (c < b) {
        spare = b;
        b = c;
        c = spare;
    }
    if (a < b) {
        spare = a;
        a = b;
        b = spare;
    }
    assert(a <= b && b <= c);
}
