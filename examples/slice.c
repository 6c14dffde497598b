/*
 * Two requests each load the two channels of an amplifier; the total gain is
 * counted along. At most one channel may reach the limit.
 *
 * Wrong: nothing stops both requests from being granted, and then both
 * channels pass the limit. The gain changes too, but has no part in the
 * failure: a good slice of the explanation leaves it out.
 * The two uninitialised locals are the inputs.
 *
 */
#include <assert.h>

int main(void)
{
    int near, far;
    int left = 1, right = 1, gain = 1;

    if (near > 0) {
        left += 5;
        right += 6;
        gain += 4;
    }
    if (far > 0) {
        left += 6;
        right += 5;
        gain += 4;
    }
    assert(left < 10 || right < 10);
}
