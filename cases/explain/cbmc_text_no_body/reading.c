#include <assert.h>

struct reading { int value; _Bool valid; };
struct reading measure(void);

int main(void)
{
    struct reading r;
    r = measure();
    int shown = r.valid ? r.value : 0;
    assert(shown <= 100);
    return 0;
}
