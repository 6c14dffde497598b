// flags: --unwind 7 --trust main --trust 'ref_*'
/*
 * A ground-proximity advisory. The level of sensitivity comes from the
 * altitude, a table per level says how late a warning may come, and the
 * advisory depends on the time to impact, on the height that is left, and on
 * how the aircraft is configured.
 *
 * The reference says the same as a list of cases, with its own constants.
 */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define LEVELS 5
#define CLOSURE_LIMIT 66
#define GEAR_HEIGHT 500
#define FLAPS_HEIGHT 200

enum advisory { QUIET, SINK_RATE, TERRAIN, TOO_LOW_GEAR, TOO_LOW_FLAPS, PULL_UP };

struct aircraft {
    int altitude;
    int rate;
    int gear_down;
    int flaps_set;
    int valid;
};

static const int ceiling[LEVELS] = {500, 1000, 2350, 5000, 10000};
static const int caution[LEVELS] = {15, 20, 25, 30, 35};
static const int warning[LEVELS] = {8, 10, 12, 15, 18};

static int sensitivity(int altitude)
{
    int level = 0;

    while (level < LEVELS - 1 && altitude > ceiling[level])
        level++;
    return level;
}

/* Whether the ground is less than so many seconds away; rates are in feet per second. */
static int within(const struct aircraft *own, int seconds)
{
    return own->altitude < own->rate * seconds;
}

static enum advisory low_and_slow(const struct aircraft *own)
{
    if (own->altitude < GEAR_HEIGHT && !own->gear_down)
        return TOO_LOW_GEAR;
    if (own->altitude < FLAPS_HEIGHT && !own->flaps_set)
        return TOO_LOW_FLAPS;
    return QUIET;
}

static enum advisory advise(const struct aircraft *own)
{
    enum advisory answer = QUIET;
    int level = sensitivity(own->altitude);

    if (!own->valid)
        return QUIET;
    if (own->rate > 0) {
        if (within(own, warning[level]))
            answer = PULL_UP;
        else if (within(own, caution[level]) && own->rate >= CLOSURE_LIMIT)
            answer = TERRAIN;
        else if (within(own, caution[level]))
            answer = SINK_RATE;
    }
    if (answer == QUIET || answer == SINK_RATE) {
        enum advisory low = low_and_slow(own);

        if (low != QUIET)
            answer = low;
    }
    return answer;
}

static enum advisory ref_advise(int altitude, int rate, int gear_down, int flaps_set, int valid)
{
    int late, early;

    if (altitude <= 500)
        late = 8, early = 15;
    else if (altitude <= 1000)
        late = 10, early = 20;
    else if (altitude <= 2350)
        late = 12, early = 25;
    else if (altitude <= 5000)
        late = 15, early = 30;
    else
        late = 18, early = 35;
    if (!valid)
        return QUIET;
    if (rate > 0 && altitude < rate * late)
        return PULL_UP;
    if (rate >= 66 && altitude < rate * early)
        return TERRAIN;
    if (altitude < 500 && !gear_down)
        return TOO_LOW_GEAR;
    if (altitude < 200 && !flaps_set)
        return TOO_LOW_FLAPS;
    return rate > 0 && altitude < rate * early ? SINK_RATE : QUIET;
}

int main(void)
{
    struct aircraft own;

    own.altitude = nondet_int();
    own.rate = nondet_int();
    own.gear_down = nondet_int();
    own.flaps_set = nondet_int();
    own.valid = nondet_int();
    __CPROVER_assume(own.altitude >= 0 && own.altitude <= 20000);
    __CPROVER_assume(own.rate >= -100 && own.rate <= 250);
    assert(advise(&own) == ref_advise(own.altitude, own.rate, own.gear_down, own.flaps_set, own.valid));
    return 0;
}
