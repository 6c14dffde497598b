/*
 * The trace leaves out what nobody reads (the first limit, the log, one field) and what does not change anything (the
 * mode that is set again).
 */
#include <assert.h>

int nondet_int(void);

struct entry {
    int key, stamp;
};

int main(void)
{
    int value = nondet_int(), log = nondet_int();
    int limit = 7;
    int mode = 1;
    struct entry entry = { value, 99 };

    limit = 5;
    mode = 1;
    log = value + 1 - 1;
    if (mode == 1)
        assert(entry.key < limit);
    return log;
}
