/*
 * Bubble sort of four numbers. Nothing is wrong: the result is ascending, and
 * whatever number one asks for occurs in it as often as it did before.
 *
 *     nearmiss check examples/correct/bubble_sort.c
 */
#include <assert.h>

int nondet_int(void);

#define COUNT 4

static int occurrences(const int *number, int wanted)
{
    int count = 0;

    for (int i = 0; i < COUNT; i++)
        if (number[i] == wanted)
            count++;
    return count;
}

int main(void)
{
    int number[COUNT];
    int wanted = nondet_int();
    int before;

    for (int i = 0; i < COUNT; i++)
        number[i] = nondet_int();
    before = occurrences(number, wanted);

    for (int last = COUNT - 1; last > 0; last--) {
        for (int i = 0; i < last; i++) {
            if (number[i] > number[i + 1]) {
                int spare = number[i];

                number[i] = number[i + 1];
                number[i + 1] = spare;
            }
        }
    }

    for (int i = 0; i + 1 < COUNT; i++)
        assert(number[i] <= number[i + 1]);
    assert(occurrences(number, wanted) == before);
}
