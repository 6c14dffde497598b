// fabs, sqrt, isnan, isinf, signs of zero.
#include <math.h>
int main(void) {
    double z = -0.0;
    int r = (int)(sqrt(2.0) * 1e6) + (int)fabs(-3.5) + (z == 0) * 2 + (1 / z < 0) * 4;
    r += !!isnan(sqrt(-1.0)) * 8 + !!isinf(1 / z) * 16 + (int)fabsf(-2.0f) * 32;
    return r;
}
