#include <assert.h>
float nondet_float(void);
static int x, y;
static void count(int *p) { ++*p; }
int main(void)
{
    float f = nondet_float();
    float g = nondet_float();
    int *p = f > g ? &x : &y;
    if (f * g > 1.5f)
        count(p);
    if (g < 3.0f)
        count(&y);
    assert(x == 1);
}
