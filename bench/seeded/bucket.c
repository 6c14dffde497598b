// flags: --unwind 6 --trust main --trust 'check_*' --trust 'ref_*'
/*
 * A limiter of requests: a bucket of tokens that fills with time. A request of
 * a class costs what the table says and is let through, delayed or refused.
 */
#include <assert.h>

unsigned char nondet_uchar(void);
int nondet_int(void);
void __CPROVER_assume(int);

#define CLASSES 4
#define CAPACITY 40
#define PER_TICK 3
#define RESERVE 5
#define LONGEST_WAIT 4

enum answer { PASS, DELAY, REFUSE };

struct bucket {
    int tokens;
    int last;
    int refused;
};

static const int cost[CLASSES] = {1, 4, 9, 20};
static const int important[CLASSES] = {0, 1, 0, 1};

static void fill(struct bucket *bucket, int now)
{
    int elapsed = now - bucket->last;

    if (elapsed <= 0)
        return;
    bucket->tokens += elapsed * PER_TICK;
    if (bucket->tokens > CAPACITY)
        bucket->tokens = CAPACITY;
    bucket->last = now;
}

/* Ticks until so many tokens are there. */
static int wait_for(const struct bucket *bucket, int tokens)
{
    int missing = tokens - bucket->tokens;

    if (missing <= 0)
        return 0;
    return (missing + PER_TICK - 1) / PER_TICK;
}

static enum answer request(struct bucket *bucket, int class, int now, int *wait)
{
    int needed;

    fill(bucket, now);
    needed = cost[class];
    if (!important[class])
        needed += RESERVE;
    *wait = wait_for(bucket, needed);
    if (*wait == 0) {
        bucket->tokens -= cost[class];
        return PASS;
    }
    if (*wait <= LONGEST_WAIT && important[class])
        return DELAY;
    bucket->refused++;
    return REFUSE;
}

static int ref_tokens(int tokens, int ticks)
{
    return tokens + 3 * ticks > 40 ? 40 : tokens + 3 * ticks;
}

static int ref_need(int class)
{
    return class == 0 ? 6 : class == 1 ? 4 : class == 2 ? 14 : 20;
}

static void check_request(struct bucket before, struct bucket after, enum answer answer, int class, int ticks, int wait)
{
    int tokens = ref_tokens(before.tokens, ticks);

    assert((answer == PASS) == (tokens >= ref_need(class)));
    assert(wait >= 0 && tokens + 3 * wait >= ref_need(class));
    assert(wait == 0 || tokens + 3 * (wait - 1) < ref_need(class));
    if (answer == PASS)
        assert(after.tokens == tokens - (class & 1 ? ref_need(class) : ref_need(class) - 5));
    else
        assert(after.tokens == tokens);
    assert((answer == DELAY) == (wait > 0 && wait <= 4 && (class == 1 || class == 3)));
    assert(after.refused == before.refused + (answer == REFUSE));
}

int main(void)
{
    struct bucket bucket = {40, 0, 0};
    int now = 0, wait = 0;

    for (int i = 0; i < 3; i++) {
        int class = nondet_uchar() % 4;
        int ticks = nondet_uchar() % 16;
        struct bucket before = bucket;
        enum answer answer;

        now += ticks;
        answer = request(&bucket, class, now, &wait);
        check_request(before, bucket, answer, class, ticks, wait);
        assert(bucket.tokens >= 0 && bucket.tokens <= 40);
        assert(bucket.last == now);
    }
    return 0;
}
