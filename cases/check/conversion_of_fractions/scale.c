/* A reading is scaled and stored in a byte: -0.5 becomes 0, 255.5 becomes 255, 256 does not fit. */
#include <assert.h>
float nondet_float(void);
int main(void)
{
    float reading = nondet_float();
    __CPROVER_assume(reading > -1 && reading < 128.5f);
    unsigned char stored = (unsigned char)(reading * 2 + 1);
    return stored;
}
