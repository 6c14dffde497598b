/* A worker that takes a lock, does its job, and gives the lock back: except when it forgets.
 * Every lock must be followed by an unlock, for ever:
 *
 *   nearmiss explain examples/locks.c --formula 'G(lock -> F unlock)' --action Lock=lock,Unlock=unlock
 *
 * The fault: `y != 0` (line 23) was meant to be `y > 0`. */

void Lock(void);
void Unlock(void);

void process(void)
{
    int x, y;
    int z = 0;

    Lock();
    if (x == 0) {
        if (y == 0)
            z = 1;
    }
    /* A y other than 0 was taken to be a positive one. */
    if (y != 0)
        z = y;
    if (x != 0) {
        z = 2;
        Unlock();
    } else if (z > 0) {
        z = 3;
        Unlock();
    }
}

int main(void)
{
    while (1)
        process();
}
