#include <assert.h>
#include <math.h>

/* pow is known to the solver at the points that it asks for. */
int main(void)
{
    int n;
    if (n >= 0 && n < 10) {
        double power = pow(2, n);
        assert(power >= 0);
        assert(power < 300);
    }
    double x = sin(n) * 2;
    assert(x <= 2);
    return 0;
}
