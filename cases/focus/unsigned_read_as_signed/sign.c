#include <assert.h>
void f(unsigned a, unsigned char n) {
  int x = a;
  assert(x >= 0);
}
