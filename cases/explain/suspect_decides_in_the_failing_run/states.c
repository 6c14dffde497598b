/* The 3rd event is compared in line 15 alone, where the state is DONE. What line 7 compares are the 1st and the 2nd. */
#include <assert.h>
int nondet_int(void);
enum state { IDLE, BUSY, DONE };
static enum state step(enum state s, int event)
{
    if (s == IDLE && event == 1)
        return BUSY;
    if (s == BUSY) {
        if (event == 2)
            return DONE;
        return BUSY;
    }
    if (s == DONE) {
        if (event == 1)
            return BUSY;
    }
    return IDLE;
}
int main(void)
{
    enum state s = IDLE;
    int starts = 0, ends = 0;
    for (int i = 0; i < 3; i++) {
        int event = nondet_int();
        __CPROVER_assume(event >= 0 && event <= 2);
        enum state next = step(s, event);
        if (s == IDLE && next == BUSY)
            starts++;
        if (s == DONE && next != IDLE)
            ends++;
        s = next;
    }
    assert(ends == 0 || starts > 1);
    return 0;
}
