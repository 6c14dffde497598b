#include <assert.h>
int nondet_int(void);
void a(void); void b(void);
int main(void) { int x = nondet_int(); a(); if (x > 3) b(); assert(x != 77); return 0; }
