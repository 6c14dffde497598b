// flags: --unwind 2 --trust main --trust 'ref_*'
/*
 * A controller step in fixed point, eight bits behind the point: the reading is
 * calibrated, smoothed, compared with the target outside of a dead band, and
 * the output is limited in size and in how fast it changes.
 */
#include <assert.h>

short nondet_short(void);
unsigned char nondet_uchar(void);
void __CPROVER_assume(int);

#define ONE 256
#define GAIN 320
#define OFFSET (-48)
#define BAND 6
#define LIMIT 200
#define SLEW 50

struct controller {
    int smooth;
    int output;
};

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

static int magnitude(int value)
{
    return value < 0 ? -value : value;
}

/* A product of fixed-point numbers, rounded to the nearest, halves up. */
static int multiply(int a, int b)
{
    return (a * b + ONE / 2) >> 8;
}

static int calibrate(int reading)
{
    return multiply(reading, GAIN) + OFFSET;
}

static int step(struct controller *c, int target, int reading)
{
    int value = calibrate(reading);
    int error, wanted, change;

    c->smooth = c->smooth + ((value - c->smooth) >> 2);
    error = target - c->smooth;
    if (magnitude(error) <= BAND)
        error = 0;
    wanted = clamp(error + error / 2, -LIMIT, LIMIT);
    change = clamp(wanted - c->output, -SLEW, SLEW);
    c->output += change;
    return c->output;
}

/* The quotient, rounded down. */
static int ref_floor(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static int ref_smooth(int before, int reading)
{
    int value = ref_floor(reading * 320 + 128, 256) - 48;

    return ref_floor(3 * before + value, 4);
}

static int ref_output(int smooth, int target, int before)
{
    int error = target - smooth;
    int wanted = error >= -6 && error <= 6 ? 0 : error - (-error) / 2;

    if (wanted > 200)
        wanted = 200;
    if (wanted < -200)
        wanted = -200;
    if (wanted > before + 50)
        return before + 50;
    return wanted < before - 50 ? before - 50 : wanted;
}

int main(void)
{
    struct controller c;
    int target = nondet_short(), reading, smooth, before;

    c.smooth = nondet_short();
    c.output = nondet_short();
    __CPROVER_assume(c.output >= -200 && c.output <= 200);
    reading = nondet_uchar();
    __CPROVER_assume(target >= 0 && target <= 255 && c.smooth >= -48 && c.smooth <= 271);
    smooth = c.smooth;
    before = c.output;
    assert(step(&c, target, reading) == c.output);
    assert(c.smooth == ref_smooth(smooth, reading));
    assert(c.output == ref_output(c.smooth, target, before));
    assert(c.output >= -200 && c.output <= 200);
    return 0;
}
