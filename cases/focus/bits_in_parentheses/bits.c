#include <assert.h>
void f(unsigned flags, int n) {
  if ((flags & 3) == 2) return;
  assert((n & 15) < 9 || (flags | 1) == 5 || (n ^ 3) < 0 || (n >> 2) == 1);
}
