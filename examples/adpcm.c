/*
 * An adaptive speech coder of the IMA kind: sixteen-bit samples become four-bit
 * codes. Each code says how far the sample is from the predicted one in units
 * of the current step; large codes make the next step larger, small ones make
 * it smaller. Four samples are coded, and a decoder follows. The coder resumes
 * at any step, as after an earlier block.
 *
 * Wrong: the index into the table of steps is limited to the number of steps
 * instead of to the last one. A loud passage at the top of the table takes it
 * one past the end, and the next sample reads there. No assertion about that
 * is written; the array bounds check finds it. The written assertion, that
 * what is heard fits into sixteen bits, holds.
 *
 *     nearmiss check examples/adpcm.c
 */
#include <assert.h>

int nondet_int(void);
short nondet_short(void);
void __CPROVER_assume(int);

#define SAMPLES 4
#define STEPS 89

struct coder {
    int predicted; /* the sample the other side has arrived at */
    int index;     /* of the current step */
};

static const int steps[STEPS] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,
    19,    21,    23,    25,    28,    31,    34,    37,    41,    45,
    50,    55,    60,    66,    73,    80,    88,    97,    107,   118,
    130,   143,   157,   173,   190,   209,   230,   253,   279,   307,
    337,   371,   408,   449,   494,   544,   598,   658,   724,   796,
    876,   963,   1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,
    2272,  2499,  2749,  3024,  3327,  3660,  4026,  4428,  4871,  5358,
    5894,  6484,  7132,  7845,  8630,  9493,  10442, 11487, 12635, 13899,
    15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
};

/* How the magnitude of a code moves the index. */
static const int moves[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

static int current_step(const struct coder *coder)
{
    return steps[coder->index];
}

static int limited(int value, int least, int most)
{
    if (value < least)
        return least;
    if (value > most)
        return most;
    return value;
}

/* What both sides do with a code: move the prediction, then the step. */
static void follow(struct coder *coder, int code)
{
    int step = current_step(coder);
    int change = step >> 3;

    if (code & 4)
        change += step;
    if (code & 2)
        change += step >> 1;
    if (code & 1)
        change += step >> 2;
    if (code & 8)
        change = -change;

    coder->predicted = limited(coder->predicted + change, -32768, 32767);
    coder->index = limited(coder->index + moves[code & 7], 0, STEPS);
}

static int encode(struct coder *coder, int sample)
{
    int step = current_step(coder);
    int distance = sample - coder->predicted;
    int code = 0;

    if (distance < 0) {
        code = 8;
        distance = -distance;
    }
    if (distance >= step) {
        code |= 4;
        distance -= step;
    }
    if (distance >= step >> 1) {
        code |= 2;
        distance -= step >> 1;
    }
    if (distance >= step >> 2)
        code |= 1;
    follow(coder, code);
    return code;
}

static int decode(struct coder *coder, int code)
{
    follow(coder, code);
    return coder->predicted;
}

int main(void)
{
    struct coder sender = {0, 0};
    struct coder receiver;

    sender.index = nondet_int();
    __CPROVER_assume(sender.index >= 0 && sender.index < STEPS);
    receiver = sender;

    for (int i = 0; i < SAMPLES; i++) {
        int code = encode(&sender, nondet_short());
        int heard = decode(&receiver, code);

        assert(heard >= -32768 && heard <= 32767);
    }
}
