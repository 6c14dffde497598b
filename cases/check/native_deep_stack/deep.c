/* Twenty megabytes of locals are more than the stack that most systems give a program by default. */
#include <assert.h>

int nondet_int(void);

int main(void)
{
    int number = nondet_int();
    char large[20 << 20];
    large[0] = 2;
    assert(number != large[0]);
    return 0;
}
