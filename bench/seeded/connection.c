// flags: --unwind 6 --trust main --trust 'ref_*' --trust 'check_*'
/*
 * The state machine of a connection: a table says what comes next, a switch
 * what is done on the way. Retries are counted and given up after three, and a
 * connection that is up has what both sides agreed on.
 */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

enum state { CLOSED, LISTENING, OPENING, UP, CLOSING, STATES };
enum event { LISTEN, CONNECT, ACCEPT, TIMEOUT, SHUT, RESET, EVENTS };

#define MOST_RETRIES 3
#define FIRST_DELAY 2
#define LONGEST_DELAY 8

static const unsigned char next_state[STATES][EVENTS] = {
    {LISTENING, OPENING, CLOSED, CLOSED, CLOSED, CLOSED},
    {LISTENING, OPENING, UP, LISTENING, CLOSED, LISTENING},
    {OPENING, OPENING, UP, OPENING, CLOSED, CLOSED},
    {UP, UP, UP, UP, CLOSING, CLOSED},
    {CLOSING, CLOSING, CLOSED, CLOSED, CLOSING, CLOSED},
};

struct connection {
    enum state state;
    int retries;
    int delay;
    int agreed;
    int opened;
    int closed;
};

static void connection_start(struct connection *c)
{
    c->state = CLOSED;
    c->retries = 0;
    c->delay = 0;
    c->agreed = 0;
    c->opened = 0;
    c->closed = 0;
}

static void enter(struct connection *c, enum state state)
{
    switch (state) {
    case OPENING:
        c->retries = 0;
        c->delay = FIRST_DELAY;
        break;
    case UP:
        c->delay = 0;
        c->agreed = 1;
        c->opened++;
        break;
    case CLOSED:
        if (c->state == UP || c->state == CLOSING)
            c->closed++;
        c->delay = 0;
        c->agreed = 0;
        break;
    default:
        break;
    }
    c->state = state;
}

static void retry(struct connection *c)
{
    if (c->retries >= MOST_RETRIES) {
        enter(c, CLOSED);
        return;
    }
    c->retries++;
    c->delay = c->delay * 2;
    if (c->delay > LONGEST_DELAY)
        c->delay = LONGEST_DELAY;
}

static void handle(struct connection *c, enum event event)
{
    enum state to = (enum state)next_state[c->state][event];

    if (c->state == OPENING && event == TIMEOUT)
        retry(c);
    else if (to != c->state)
        enter(c, to);
}

static enum state ref_next(enum state from, enum event event, int retries)
{
    if (event == RESET)
        return from == LISTENING ? LISTENING : CLOSED;
    if (event == SHUT)
        return from == UP || from == CLOSING ? CLOSING : CLOSED;
    if (event == ACCEPT)
        return from == CLOSED || from == CLOSING ? CLOSED : UP;
    if (event == TIMEOUT && (from == CLOSING || (from == OPENING && retries == 3)))
        return CLOSED;
    if (event == LISTEN && from == CLOSED)
        return LISTENING;
    if (event == CONNECT && (from == CLOSED || from == LISTENING))
        return OPENING;
    return from;
}

static void check_invariant(const struct connection *c)
{
    static const int delays[4] = {2, 4, 8, 8};
    int alive = c->state == UP || c->state == CLOSING;

    assert(c->opened - c->closed == alive);
    assert(c->agreed == alive);
    assert(c->retries >= 0 && c->retries <= 3);
    assert(c->delay == (c->state == OPENING ? delays[c->retries] : 0));
}

int main(void)
{
    struct connection c;

    connection_start(&c);
    for (int step = 0; step < 5; step++) {
        int event = nondet_int();
        enum state wanted;

        __CPROVER_assume(event >= 0 && event < EVENTS);
        wanted = ref_next(c.state, (enum event)event, c.retries);
        handle(&c, (enum event)event);
        assert(c.state == wanted);
        check_invariant(&c);
    }
    return 0;
}
