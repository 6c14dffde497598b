#include <assert.h>
int nondet_int(void);
int main(void) {
  int m = nondet_int(), x = nondet_int();
  __CPROVER_assume(m >= 0 && m <= 3 && x >= 0 && x <= 20);
  int y = x * 2, z = x + m, w = z + y;
  assert(x >= 0 && (m != 2 || w < 30));
  return 0;
}
