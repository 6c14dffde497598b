/*
 * A small real-time kernel: tasks of eight priorities, counting semaphores on
 * which they wait with a time-out, a clock tick, and interrupts that may nest.
 * Sets of tasks are bit sets, the lowest bit is the most urgent task. The
 * tables are touched only with interrupts off, and the locking protocol is
 * strict: off and on must alternate.
 *
 * Wrong: semaphore_wait must not be called from an interrupt. It notices, turns
 * interrupts on again and says so in *error, but does not return. It goes on
 * with interrupts on, and whichever way it takes from there ends with turning
 * them on a second time. No statement is wrong: one is missing.
 *
 *     nearmiss explain --state predicates --trust main --trust one_event examples/kernel.c
 */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define TASKS 8
#define SEMAPHORES 2
#define IDLE (TASKS - 1)
#define EVENTS 2

enum error {
    NO_ERROR,
    NO_SUCH_SEMAPHORE,
    CALLED_FROM_INTERRUPT,
    TIMED_OUT,
    OVERFLOWN,
};

struct task {
    int delay;      /* ticks until it is woken; 0: none are counted */
    int waits_for;  /* a semaphore, or -1 */
    int timed_out;
};

struct semaphore {
    int used;
    int count;
    unsigned char waiting; /* a set of tasks */
};

static struct task task[TASKS];
static struct semaphore semaphore[SEMAPHORES];
static unsigned char ready;
static int running = IDLE;
static int interrupt_depth;
static int interrupts_off;
static int ticks;

static void enter_critical(void)
{
    assert(!interrupts_off);
    interrupts_off = 1;
}

static void exit_critical(void)
{
    assert(interrupts_off);
    interrupts_off = 0;
}

/* The most urgent task of a set. */
static int most_urgent(unsigned char set)
{
    for (int i = 0; i < IDLE; i++) {
        if (set & (1 << i))
            return i;
    }
    return IDLE;
}

/* Lets the most urgent task that is ready run; interrupts come first. */
static void schedule(void)
{
    enter_critical();
    if (interrupt_depth == 0)
        running = most_urgent(ready);
    exit_critical();
}

static void task_start(int who)
{
    enter_critical();
    task[who].delay = 0;
    task[who].waits_for = -1;
    task[who].timed_out = 0;
    ready |= 1 << who;
    exit_critical();
}

/* Takes the running task out of the ready set for some ticks. */
static void task_sleep(int for_ticks)
{
    if (for_ticks <= 0 || interrupt_depth > 0 || running == IDLE)
        return;
    enter_critical();
    ready &= ~(1 << running);
    task[running].delay = for_ticks;
    exit_critical();
    schedule();
}

static void interrupt_begins(void)
{
    enter_critical();
    interrupt_depth++;
    exit_critical();
}

static void interrupt_ends(void)
{
    enter_critical();
    if (interrupt_depth > 0)
        interrupt_depth--;
    exit_critical();
    schedule();
}

/* Counts down delays; who comes to zero is ready again. */
static void clock_tick(void)
{
    enter_critical();
    ticks++;
    for (int i = 0; i < IDLE; i++) {
        if (task[i].delay > 0) {
            task[i].delay--;
            if (task[i].delay == 0) {
                if (task[i].waits_for >= 0) {
                    semaphore[task[i].waits_for].waiting &= ~(1 << i);
                    task[i].waits_for = -1;
                    task[i].timed_out = 1;
                }
                ready |= 1 << i;
            }
        }
    }
    exit_critical();
}

static int semaphore_create(int count)
{
    int found = -1;

    enter_critical();
    for (int i = 0; i < SEMAPHORES && found < 0; i++) {
        if (!semaphore[i].used)
            found = i;
    }
    if (found >= 0) {
        semaphore[found].used = 1;
        semaphore[found].count = count;
        semaphore[found].waiting = 0;
    }
    exit_critical();
    return found;
}

/* Takes the semaphore, or lets the running task wait for it. */
static void semaphore_wait(int which, int timeout, enum error *error)
{
    enter_critical();
    if (interrupt_depth > 0) {
        exit_critical();
        *error = CALLED_FROM_INTERRUPT;
    }
    if (!semaphore[which].used) {
        *error = NO_SUCH_SEMAPHORE;
        exit_critical();
    } else if (semaphore[which].count > 0) {
        semaphore[which].count--;
        *error = NO_ERROR;
        exit_critical();
    } else {
        task[running].waits_for = which;
        task[running].delay = timeout;
        task[running].timed_out = 0;
        semaphore[which].waiting |= 1 << running;
        ready &= ~(1 << running);
        exit_critical();
        schedule();
        enter_critical();
        *error = task[running].timed_out ? TIMED_OUT : NO_ERROR;
        exit_critical();
    }
}

/* The same without waiting: how much there was. */
static int semaphore_try(int which)
{
    int count;

    enter_critical();
    count = semaphore[which].used ? semaphore[which].count : 0;
    if (count > 0)
        semaphore[which].count--;
    exit_critical();
    return count;
}

/* Gives the semaphore back; wakes the most urgent task that waits for it. */
static enum error semaphore_signal(int which)
{
    int woken;

    enter_critical();
    if (!semaphore[which].used) {
        exit_critical();
        return NO_SUCH_SEMAPHORE;
    }
    if (semaphore[which].waiting) {
        woken = most_urgent(semaphore[which].waiting);
        semaphore[which].waiting &= ~(1 << woken);
        task[woken].waits_for = -1;
        task[woken].delay = 0;
        ready |= 1 << woken;
        exit_critical();
        schedule();
        return NO_ERROR;
    }
    if (semaphore[which].count == 255) {
        exit_critical();
        return OVERFLOWN;
    }
    semaphore[which].count++;
    exit_critical();
    return NO_ERROR;
}

enum event { TICK, BEGIN, END, SLEEP, WAIT, TRY, SIGNAL };

static void one_event(int event, int which)
{
    enum error error = NO_ERROR;

    switch (event) {
    case TICK:
        clock_tick();
        break;
    case BEGIN:
        interrupt_begins();
        break;
    case END:
        interrupt_ends();
        break;
    case SLEEP:
        task_sleep(2);
        break;
    case WAIT:
        semaphore_wait(which, 3, &error);
        break;
    case TRY:
        semaphore_try(which);
        break;
    case SIGNAL:
        error = semaphore_signal(which);
        break;
    default:
        break;
    }
}

int main(void)
{
    task_start(0);
    task_start(3);
    semaphore_create(1);
    schedule();
    for (int i = 0; i < EVENTS; i++) {
        int event = nondet_int();
        int which = nondet_int();

        __CPROVER_assume(event >= TICK && event <= SIGNAL);
        __CPROVER_assume(which >= 0 && which < SEMAPHORES);
        one_event(event, which);
    }
}
