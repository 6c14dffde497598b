/*
 * A collision-avoidance advisory (see tcas.c), fault 31.
 *
 * Wrong: non_crossing_climb also asks that the own altitude is not above the
 * other (where upward is preferred) or is below it (where it is not), and
 * need_up no longer asks that the own aircraft is below.
 *
 * Violates P1B, P4 and P5B.
 *
 */

/* Limits, in feet or feet per minute. */
#define RATE_LIMIT 600
#define MAX_DIFFERENCE 600
#define MIN_SEPARATION 300
#define NO_CROSSING_MARGIN 100

#define LAYERS 4

/* What the other aircraft intends, and what it is equipped with. */
#define NO_INTENT 0
#define DO_NOT_CLIMB 1
#define DO_NOT_DESCEND 2
#define TCAS 1
#define OTHER 2

/* The advisory. */
#define UNRESOLVED 0
#define UPWARD 1
#define DOWNWARD 2

/* Inputs. */
static int vertical_separation;
static int high_confidence;
static int two_of_three_valid;
static int own_altitude;
static int own_rate;
static int other_altitude;
static int layer;
static int up_separation;
static int down_separation;
static int other_rac;
static int other_capability;
static int climb_inhibit;

/* Positive advisory thresholds, one for each altitude layer. */
static int threshold[LAYERS];

/* What the advisory was decided on. */
static int need_up;
static int need_down;

static void initialise(void)
{
    threshold[0] = 400;
    threshold[1] = 500;
    threshold[2] = 640;
    threshold[3] = 740;
}

static int alim(void)
{
    return threshold[layer];
}

static int biased_climb(void)
{
    return climb_inhibit ? up_separation + NO_CROSSING_MARGIN : up_separation;
}

static int own_below_threat(void)
{
    return own_altitude < other_altitude;
}

static int own_above_threat(void)
{
    return other_altitude < own_altitude;
}

static int upward_preferred(void)
{
    return biased_climb() > down_separation;
}

static int non_crossing_climb(void)
{
    int possible;

    if (upward_preferred()) {
        possible = own_altitude <= other_altitude && (!own_below_threat() || (own_below_threat() && !(down_separation >= alim())));
    } else {
        possible = own_altitude < other_altitude && own_above_threat() && vertical_separation >= MIN_SEPARATION && up_separation >= alim();
    }
    return possible;
}

static int non_crossing_descend(void)
{
    int possible;

    if (upward_preferred()) {
        possible = own_below_threat() && vertical_separation >= MIN_SEPARATION && down_separation >= alim();
    } else {
        possible = !own_above_threat() || (own_above_threat() && up_separation >= alim());
    }
    return possible;
}

static int advise(void)
{
    int enabled, equipped, intent_unknown;
    int advisory = UNRESOLVED;

    enabled = high_confidence && own_rate <= RATE_LIMIT && vertical_separation > MAX_DIFFERENCE;
    equipped = other_capability == TCAS;
    intent_unknown = two_of_three_valid && other_rac == NO_INTENT;
    need_up = 0;
    need_down = 0;

    if (enabled && ((equipped && intent_unknown) || !equipped)) {
        need_up = non_crossing_climb();
        need_down = non_crossing_descend() && own_above_threat();
        if (need_up && need_down)
            advisory = UNRESOLVED;
        else if (need_up)
            advisory = UPWARD;
        else if (need_down)
            advisory = DOWNWARD;
        else
            advisory = UNRESOLVED;
    }
    return advisory;
}

#include "harness.h"
