#include <assert.h>
static int n;
static int next(void) { return ++n; }
static int sub(int a, int b) { return a - b; }
int main(void) { assert(sub(next(), next()) == 1); }
