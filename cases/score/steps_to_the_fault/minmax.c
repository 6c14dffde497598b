#include <assert.h>

int nondet_int(void);

int main(void)
{
    int first = nondet_int();
    int second;
    int least = first;
    int most = first;

    if (first != 7 || second != 5)
        return 0;
    if (second > most)
        most = second;
    if (second < least)
        most = second;
    assert(least <= most);
}
