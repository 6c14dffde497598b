#include <assert.h>
int nondet_int(void);
int main(void){ int n = nondet_int(), i = 0; while (i < 10) { if (n > 3) i++; } assert(i == 10); return 0; }
