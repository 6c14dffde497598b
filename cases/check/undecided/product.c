#include <assert.h>
unsigned long nondet_ulong(void);
int main(void) {
  unsigned long a = nondet_ulong(), b = nondet_ulong(), c = nondet_ulong();
  assert((a * b) * c == a * (b * c));
  assert(a + b == b + a);
}
