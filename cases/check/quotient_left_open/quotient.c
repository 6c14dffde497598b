#include <assert.h>
#include <math.h>

/* Where the remainder is no number, C does not say what the quotient is: the compiled program gets the one of the run. */
int main(void)
{
    int q = 1;
    assert(remquo(29.0, 3.0, &q) == -1);
    assert(remquof(1.0f, 0.0f, &q) == 0);
    return q;
}
