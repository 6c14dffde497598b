/* Readings of a sensor. `record` keeps its index in bounds whatever it is called with, and keeps a histogram that nobody
   asks for; only `clip` has to do with the failure: it forgets readings below zero. */
#include <assert.h>

enum { SLOTS = 8 };

static unsigned histogram[SLOTS], most;

static void record(unsigned reading)
{
    unsigned slot = reading % SLOTS;
    histogram[slot]++;
    if (histogram[slot] > most)
        most = histogram[slot];
}

static int clip(int reading, int limit)
{
    record((unsigned)reading);
    if (reading > limit)
        return limit;
    return reading;
}

int main(int first, int second)
{
    int low = clip(first, 100);
    int high = clip(second, 200);
    record(7);
    assert(low >= 0 && high >= 0);
    return 0;
}
