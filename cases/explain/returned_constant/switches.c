#include <assert.h>

int nondet_int(void);

static int level;

static int volume(int mode, int step)
{
    switch (mode) {
    case 0:
        return 9;
    case 1:
        switch (step) {
        case 0:
            level = 2;
            break;
        case 1:
            level = 4;
            break;
        }
        break;
    default:
        level = 9;
    }
    return level;
}

int main(void)
{
    int mode = nondet_int(), step = nondet_int();
    __CPROVER_assume(mode >= 0 && mode <= 2 && step >= 0 && step <= 1);
    int now = volume(mode, step);
    assert(now < 8);
    return 0;
}
