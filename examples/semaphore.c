/*
 * A kernel in miniature. Three processes compete for one region that only one
 * of them may be in. The region is guarded by a semaphore with a queue: a
 * process that finds it taken is put to sleep and is woken, in order of
 * arrival, when the region becomes free. The semaphore itself is handled
 * inside a kernel lock that must never be taken or released twice in a row.
 * Four events, each chosen freely: a process wants in, or a process goes out.
 *
 * Wrong: in semaphore_take, the branch for a taken semaphore does not return
 * after it has queued the caller. The caller goes on as if it had been granted
 * the semaphore, and two processes are in the region at once. Nothing in the
 * code as written is a wrong statement: one is missing.
 *
 *     nearmiss check examples/semaphore.c
 */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define PROCESSES 3
#define EVENTS 4

enum state { OUTSIDE, WAITING, INSIDE };
enum event { WANTS_IN, GOES_OUT };
enum answer { GRANTED, QUEUED };

struct process {
    enum state state;
    int visits; /* how often it has been in the region */
};

struct semaphore {
    int available;
    int waiting;
    int queue[PROCESSES];
};

static struct process process[PROCESSES];
static struct semaphore region = {1, 0, {0, 0, 0}};
static int kernel_locked;

static void kernel_lock(void)
{
    assert(!kernel_locked);
    kernel_locked = 1;
}

static void kernel_unlock(void)
{
    assert(kernel_locked);
    kernel_locked = 0;
}

static enum answer semaphore_take(struct semaphore *semaphore, int who)
{
    if (semaphore->available == 0) {
        process[who].state = WAITING;
        semaphore->queue[semaphore->waiting] = who;
        semaphore->waiting++;
    }
    semaphore->available = 0;
    return GRANTED;
}

/* Frees the semaphore; returns the process to be woken, or -1. */
static int semaphore_give(struct semaphore *semaphore)
{
    int next;

    if (semaphore->waiting == 0) {
        semaphore->available = 1;
        return -1;
    }
    next = semaphore->queue[0];
    for (int i = 0; i + 1 < PROCESSES; i++)
        semaphore->queue[i] = semaphore->queue[i + 1];
    semaphore->waiting--;
    return next;
}

static void go_in(int who)
{
    process[who].state = INSIDE;
    process[who].visits++;
}

static void enter_region(int who)
{
    enum answer answer;

    kernel_lock();
    answer = semaphore_take(&region, who);
    if (answer == GRANTED)
        go_in(who);
    kernel_unlock();
}

static void leave_region(int who)
{
    int woken;

    kernel_lock();
    process[who].state = OUTSIDE;
    woken = semaphore_give(&region);
    if (woken >= 0)
        go_in(woken);
    kernel_unlock();
}

static int inside(void)
{
    int count = 0;

    for (int i = 0; i < PROCESSES; i++) {
        if (process[i].state == INSIDE)
            count++;
    }
    return count;
}

int main(void)
{
    for (int i = 0; i < EVENTS; i++) {
        int event = nondet_int();
        int who = nondet_int();

        __CPROVER_assume(event == WANTS_IN || event == GOES_OUT);
        __CPROVER_assume(who >= 0 && who < PROCESSES);
        if (event == WANTS_IN && process[who].state == OUTSIDE)
            enter_region(who);
        else if (event == GOES_OUT && process[who].state == INSIDE)
            leave_region(who);
        assert(inside() <= 1);
    }
}
