/* A door with one key. The flag that says whether the key was taken is never
   initialised, so the first round may give back a key that nobody has. */
#include <assert.h>

_Bool nondet_bool(void);
void log_something(void);

extern int has_key;
int taken;

static void take(void)
{
    if (taken == 0)
        taken++;
    else
        assert(!"taken twice");
}

static void give_back(void)
{
    if (taken == 1)
        taken--;
    else
        assert(!"given back twice");
}

int main(void)
{
    taken = 0;
    if (nondet_bool()) {
        while (nondet_bool()) {
            if (nondet_bool()) {
                take();
                has_key++;
                log_something();
            }
            if (has_key == 1) {
                give_back();
                has_key = 0;
            }
        }
    }
    return 0;
}
