#include <assert.h>
int nondet_int(void);
int main(void) {
  int x = nondet_int(); int r = 0;
  assert(x < 100);
  if (x > 10) r = 1;
  if (x < 5) r = 2;
  return r;
}
