/* The reference is trusted, and what it expects is kept. Its local has the name of a global. */
#include <assert.h>

int nondet_int(void);

int result;

static int reference(int speed)
{
    int result = 0;

    if (speed >= 50)
        result = 1;
    return result;
}

static int too_fast(int speed)
{
    if (speed > 50)
        return 1;
    return 0;
}

int main(void)
{
    int speed = nondet_int();

    result = too_fast(speed);
    assert(result == reference(speed));
}
