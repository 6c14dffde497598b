/* The door again, now with the flag set in every round; after it a second loop that
   takes the key until nothing is new. The key is given back at the end even if that
   loop was never entered. To take it twice in there is not possible: when the key was
   kept, nothing is new. */
#include <assert.h>

_Bool nondet_bool(void);
void log_something(void);

int has_key;
int taken;

static void take(void)
{
    if (taken == 0)
        taken = 1;
    else
        assert(!"taken twice");
}

static void give_back(void)
{
    if (taken == 1)
        taken = 0;
    else
        assert(!"given back twice");
}

int main(void)
{
    unsigned seen, latest;
    taken = 0;
    if (nondet_bool()) {
        while (nondet_bool()) {
            has_key = 0;
            if (nondet_bool()) {
                take();
                has_key = has_key + 1;
            }
            if (has_key == 1)
                give_back();
        }
    }
    taken = 0;
    log_something();
    while (latest != seen) {
        take();
        latest = seen;
        if (nondet_bool()) {
            give_back();
            latest = latest + 1;
        }
    }
    give_back();
    return 0;
}
