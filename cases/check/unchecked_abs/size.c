/* Arithmetic may wrap around; what abs is called with is a precondition, and stays a claim. */
#include <assert.h>
#include <stdlib.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    assert(abs(x) >= 0);
    return 0;
}
