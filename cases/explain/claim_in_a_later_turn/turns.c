#include <assert.h>
int nondet_int(void);
int main(void) {
  int n = nondet_int(), s = 0;
  __CPROVER_assume(n > 0 && n < 6);
  for (int i = 0; i < n; i++) {
    s += i;
    assert(s < 6);
  }
  assert(s != 3);
  return 0;
}
