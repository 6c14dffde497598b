_Bool nondet_bool(void);
static void Put(void) {}
static void Take(void) {}
static int waiting;

/* That nobody puts anything into the queue is no explanation. */
int main(void)
{
    for (;;) {
        _Bool guest = nondet_bool(), paused = nondet_bool();
        if (guest && !waiting) {
            Put();
            waiting = 1;
        }
        if (waiting && !paused) {
            Take();
            waiting = 0;
        }
    }
}
