#include <assert.h>

int get(void);

/* Which function gives the inputs is not seen in the macro. */
#define TWICE(f) (f() % 100 + f() % 100)

int main(void)
{
    int x = TWICE(get);
    assert(x < 150);
    return 0;
}
