/* What compilers warn of unasked: an enumerator without a case where there is no default. Nothing else. */
#include <assert.h>

enum gear { PARK, DRIVE, REVERSE };

static int speed(enum gear gear)
{
    switch (gear) {
    case PARK: return 0;
    default: return 1;
    }
}

static int direction(enum gear gear)
{
    switch (gear) {
    case PARK: return 0;
    case DRIVE: return 1;
    case REVERSE: return -1;
    }
    return 0;
}

static int lights(enum gear gear)
{
    switch (gear) {
    case REVERSE: return 1;
    case DRIVE: return 0;
    }
    return 0;
}

static int number(int key)
{
    switch (key) {
    case 1: return 10;
    }
    return 0;
}

int main(void)
{
    assert(speed(DRIVE) == 1 && direction(REVERSE) == -1 && lights(PARK) == 0 && number(1) == 10);
    return 0;
}
