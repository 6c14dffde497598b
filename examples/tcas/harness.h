/*
 * What the advisory must satisfy. Included at the end of every version of the
 * component, so that all of them are held to the same properties.
 *
 *     (no macro)   all nine properties, in the order below
 *     -DP1         up >= T and down < T: not downward
 *     -DP1B        up < T and down >= T: not upward
 *     -DP2         both < T and up > down: not downward
 *     -DP3         both >= T and own altitude < other: not upward
 *     -DP4         equal altitudes: no advisory
 *     -DP4B        own < other: not downward; own > other: not upward
 *     -DP5A        both >= T and up > down: not downward
 *     -DP5B        both >= T and up < down: not upward
 *     -DP6         upward and downward are never both needed
 *     -DEQUALS     the advisory is that of the correct component (reference.h)
 *
 * T is the threshold of the layer, up and down are the separations. Several of
 * the macros may be given together.
 */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define FARTHEST 100000

#if !defined P1 && !defined P1B && !defined P2 && !defined P3 && !defined P4 \
    && !defined P4B && !defined P5A && !defined P5B && !defined P6 \
    && !defined EQUALS
#define P1
#define P1B
#define P2
#define P3
#define P4
#define P4B
#define P5A
#define P5B
#define P6
#endif

#ifdef EQUALS
#include "reference.h"
#endif

/* The thresholds, written down a second time: the component is not trusted. */
const int required[LAYERS] = {400, 500, 640, 740};

static void read_inputs(void)
{
    vertical_separation = nondet_int();
    high_confidence = nondet_int();
    two_of_three_valid = nondet_int();
    own_altitude = nondet_int();
    own_rate = nondet_int();
    other_altitude = nondet_int();
    layer = nondet_int();
    up_separation = nondet_int();
    down_separation = nondet_int();
    other_rac = nondet_int();
    other_capability = nondet_int();
    climb_inhibit = nondet_int();

    __CPROVER_assume(vertical_separation >= 0 && vertical_separation <= FARTHEST);
    __CPROVER_assume(high_confidence == 0 || high_confidence == 1);
    __CPROVER_assume(two_of_three_valid == 0 || two_of_three_valid == 1);
    __CPROVER_assume(own_altitude >= 0 && own_altitude <= FARTHEST);
    __CPROVER_assume(own_rate >= -FARTHEST && own_rate <= FARTHEST);
    __CPROVER_assume(other_altitude >= 0 && other_altitude <= FARTHEST);
    __CPROVER_assume(layer >= 0 && layer < LAYERS);
    __CPROVER_assume(up_separation >= 0 && up_separation <= FARTHEST);
    __CPROVER_assume(down_separation >= 0 && down_separation <= FARTHEST);
    __CPROVER_assume(other_rac == NO_INTENT || other_rac == DO_NOT_CLIMB
                     || other_rac == DO_NOT_DESCEND);
    __CPROVER_assume(other_capability == TCAS || other_capability == OTHER);
    __CPROVER_assume(climb_inhibit == 0 || climb_inhibit == 1);
}

static int advisory;

int main(void)
{
    read_inputs();
    initialise();
    advisory = advise();

#ifdef P1
    assert(!(up_separation >= required[layer] && down_separation < required[layer]) || advisory != DOWNWARD);
#endif
#ifdef P1B
    assert(!(up_separation < required[layer] && down_separation >= required[layer]) || advisory != UPWARD);
#endif
#ifdef P2
    assert(!(up_separation < required[layer] && down_separation < required[layer] && up_separation > down_separation) || advisory != DOWNWARD);
#endif
#ifdef P3
    assert(!(up_separation >= required[layer] && down_separation >= required[layer] && own_altitude < other_altitude) || advisory != UPWARD);
#endif
#ifdef P4
    assert(!(own_altitude == other_altitude) || advisory == UNRESOLVED);
#endif
#ifdef P4B
    assert((!(own_altitude < other_altitude) || advisory != DOWNWARD) && (!(own_altitude > other_altitude) || advisory != UPWARD));
#endif
#ifdef P5A
    assert(!(up_separation >= required[layer] && down_separation >= required[layer] && up_separation > down_separation) || advisory != DOWNWARD);
#endif
#ifdef P5B
    assert(!(up_separation >= required[layer] && down_separation >= required[layer] && up_separation < down_separation) || advisory != UPWARD);
#endif
#ifdef P6
    assert(!(need_up && need_down));
#endif
#ifdef EQUALS
    ref_initialise();
    assert(advisory == ref_advise());
#endif
}
