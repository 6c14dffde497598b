/* A third of 1 with 64 bits of significand is no double. */
#include <assert.h>

unsigned nondet_uint(void);

int main(void)
{
    unsigned parts = nondet_uint();

    if (parts > 0 && parts < 5) {
        long double part = 1.0L / parts;
        double rounded = part;
        assert(part == rounded);
    }
    return 0;
}
