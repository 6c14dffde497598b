/*
 * The correct component once more, under names of its own, to compare a faulty
 * one with. It reads the same inputs. Included by harness.h with -DEQUALS; none
 * of its functions is ever to blame:
 *
 */
static int ref_threshold[LAYERS];

static void ref_initialise(void)
{
    ref_threshold[0] = 400;
    ref_threshold[1] = 500;
    ref_threshold[2] = 640;
    ref_threshold[3] = 740;
}

static int ref_alim(void)
{
    return ref_threshold[layer];
}

static int ref_biased_climb(void)
{
    return climb_inhibit ? up_separation + NO_CROSSING_MARGIN : up_separation;
}

static int ref_own_below_threat(void)
{
    return own_altitude < other_altitude;
}

static int ref_own_above_threat(void)
{
    return other_altitude < own_altitude;
}

static int ref_upward_preferred(void)
{
    return ref_biased_climb() > down_separation;
}

static int ref_non_crossing_climb(void)
{
    int possible;

    if (ref_upward_preferred()) {
        possible = !ref_own_below_threat() || (ref_own_below_threat() && !(down_separation >= ref_alim()));
    } else {
        possible = ref_own_above_threat() && vertical_separation >= MIN_SEPARATION && up_separation >= ref_alim();
    }
    return possible;
}

static int ref_non_crossing_descend(void)
{
    int possible;

    if (ref_upward_preferred()) {
        possible = ref_own_below_threat() && vertical_separation >= MIN_SEPARATION && down_separation >= ref_alim();
    } else {
        possible = !ref_own_above_threat() || (ref_own_above_threat() && up_separation >= ref_alim());
    }
    return possible;
}

static int ref_advise(void)
{
    int enabled, equipped, intent_unknown;
    int need_up, need_down;
    int advisory = UNRESOLVED;

    enabled = high_confidence && own_rate <= RATE_LIMIT && vertical_separation > MAX_DIFFERENCE;
    equipped = other_capability == TCAS;
    intent_unknown = two_of_three_valid && other_rac == NO_INTENT;

    if (enabled && ((equipped && intent_unknown) || !equipped)) {
        need_up = ref_non_crossing_climb() && ref_own_below_threat();
        need_down = ref_non_crossing_descend() && ref_own_above_threat();
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
