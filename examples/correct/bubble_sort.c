/*
 * Bubble sort of four numbers. Nothing is wrong: the result is ascending, and
 * the sum of the numbers (modulo 2^32) is what it was.
 *
 *     nearmiss check examples/correct/bubble_sort.c
 */
#include <assert.h>

int nondet_int(void);

#define COUNT 4

int main(void)
{
    int number[COUNT];
    unsigned before = 0;
    unsigned after = 0;

    for (int i = 0; i < COUNT; i++) {
        number[i] = nondet_int();
        before += (unsigned)number[i];
    }

    for (int last = COUNT - 1; last > 0; last--) {
        for (int i = 0; i < last; i++) {
            if (number[i] > number[i + 1]) {
                int spare = number[i];

                number[i] = number[i + 1];
                number[i + 1] = spare;
            }
        }
    }

    for (int i = 0; i < COUNT; i++)
        after += (unsigned)number[i];
    for (int i = 0; i + 1 < COUNT; i++)
        assert(number[i] <= number[i + 1]);
    assert(after == before);
}
