// flags: --unwind 7 --trust main --trust 'ref_*'
/*
 * A queue of tasks by priority: a binary heap in an array. Among tasks that
 * are equally urgent any may come first; what is taken out is the most urgent,
 * and nothing is lost.
 */
#include <assert.h>

unsigned char nondet_uchar(void);
int nondet_int(void);
void __CPROVER_assume(int);

#define MOST 4

struct task {
    unsigned char priority;
    int name;
};

struct queue {
    struct task task[MOST];
    int count;
};

static void swap(struct task *a, struct task *b)
{
    struct task spare = *a;

    *a = *b;
    *b = spare;
}

static int more_urgent(const struct queue *queue, int i, int j)
{
    return queue->task[i].priority > queue->task[j].priority;
}

static int add(struct queue *queue, unsigned char priority, int name)
{
    int i = queue->count;

    if (queue->count >= MOST)
        return 0;
    queue->task[i].priority = priority;
    queue->task[i].name = name;
    queue->count++;
    while (i > 0 && more_urgent(queue, i, (i - 1) / 2)) {
        swap(&queue->task[i], &queue->task[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    return 1;
}

static int take(struct queue *queue, struct task *task)
{
    int i = 0;

    if (queue->count == 0)
        return 0;
    *task = queue->task[0];
    queue->count--;
    queue->task[0] = queue->task[queue->count];
    while (2 * i + 1 < queue->count) {
        int child = 2 * i + 1;

        if (child + 1 < queue->count && more_urgent(queue, child + 1, child))
            child++;
        if (!more_urgent(queue, child, i))
            break;
        swap(&queue->task[i], &queue->task[child]);
        i = child;
    }
    return 1;
}

static unsigned char ref_priority[5];
static int ref_waiting[5];

static int ref_largest(void)
{
    int largest = -1;

    for (int i = 0; i < 5; i++)
        if (ref_waiting[i] && ref_priority[i] > largest)
            largest = ref_priority[i];
    return largest;
}

int main(void)
{
    struct queue queue;
    struct task task;
    int waiting = 0;

    queue.count = 0;
    for (int i = 0; i < 5; i++) {
        unsigned char priority = nondet_uchar();

        assert(add(&queue, priority, i) == (waiting < 4));
        if (waiting < 4) {
            ref_priority[i] = priority;
            ref_waiting[i] = 1;
            waiting++;
        }
    }
    while (waiting > 0) {
        assert(take(&queue, &task));
        assert(task.name >= 0 && task.name < 5 && ref_waiting[task.name]);
        assert(task.priority == ref_priority[task.name]);
        assert(task.priority == ref_largest());
        ref_waiting[task.name] = 0;
        waiting--;
    }
    assert(!take(&queue, &task));
    return 0;
}
