#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
int main(void) {
  int n = nondet_int();
  if (n != 3) return 0;
  int v[n];
  int *h = malloc(n * sizeof *h);
  if (v[2] == 5 && h[1] == 7) assert(0 && "both");
}
