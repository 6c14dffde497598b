/*
 * The range of three numbers: after the four comparisons `low` should be the
 * smallest of them and `high` the largest.
 *
 * Wrong: a number below `low` is stored in `high` (the third comparison).
 * The three uninitialised locals are the inputs.
 *
 *     nearmiss check examples/minmax.c
 */
#include <assert.h>

int main(void)
{
    int first, second, third;
    int low = first;
    int high = first;

    if (second > high)
        high = second;
    if (third > high)
        high = third;
    if (second < low)
        high = second;
    if (third < low)
        low = third;
    assert(low <= high);
}
