#include <assert.h>

unsigned nondet_uint(void);
static unsigned parts[2];

static int read_number(unsigned *v)
{
    unsigned shift = 0, i = 0;
    *v = 0;
    for (;;) {
        if (i == 2)
            return -1;
        unsigned b = parts[i++];
        *v |= (b & 7) << shift;
        if (!(b & 8))
            break;
        shift += 3;
    }
    return i;
}

// `v` is the number of main(), though paths meet in the function where that is a pointer.
int main(void)
{
    for (int i = 0; i < 2; i++) {
        parts[i] = nondet_uint();
        __CPROVER_assume(parts[i] < 16);
    }
    unsigned v, length = read_number(&v);
    if (length != -1u)
        assert(length == 1 || v >> 3 * (length - 1));
}
