/* A filter over the last eight samples. The sum takes one product too many. */
#include <assert.h>

#define TAPS 8
#define LIMIT 100

int nondet_int(void);
void __CPROVER_assume(int);

static const int weight[TAPS] = {1, 2, 4, 8, 8, 4, 2, 1};
static int history[TAPS];

static void push(int sample)
{
    for (int i = TAPS - 1; i > 0; i--)
        history[i] = history[i - 1];
    history[0] = sample;
}

static int filter(int sample)
{
    int sum = 0;
    push(sample);
    for (int i = 0; i <= TAPS; i++)
        sum += weight[i] * history[i];
    return sum / 30;
}

int main(void)
{
    for (int n = 0; n < 3; n++) {
        int sample = nondet_int();
        __CPROVER_assume(sample >= -LIMIT && sample <= LIMIT);
        int out = filter(sample);
        assert(out >= -LIMIT && out <= LIMIT);
    }
}
