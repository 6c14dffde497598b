#include <assert.h>
#include <stdbool.h>

unsigned char nondet_uchar(void);
bool nondet_bool(void);

struct command {
    unsigned char code;
    bool needs_unlock;
};

/* Wrong: to erase takes no unlocking. */
static const struct command commands[] = {{'r', false}, {'w', true}, {'e', false}};

static bool is_allowed(unsigned char code, bool unlocked)
{
    for (int i = 0; i < 3; i++)
        if (commands[i].code == code)
            return unlocked || !commands[i].needs_unlock;
    return false;
}

int main(void)
{
    unsigned char code = nondet_uchar();
    bool unlocked = nondet_bool();
    bool allowed = is_allowed(code, unlocked);
    assert(code != 'r' || allowed);
    assert(!allowed || unlocked || code == 'r');
    assert(!unlocked || allowed == (code == 'r' || code == 'w' || code == 'e'));
}
