/* The alarm is on above 2, and above 4 something else has gone wrong before. */
#include <assert.h>

int main(int level)
{
    int alarm = level > 2;
    assert(level < 5);
    return alarm;
}
