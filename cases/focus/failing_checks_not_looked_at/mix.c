#include <assert.h>
int t[4];
void f(int i, int d) {
  int x = 10 / d;
  t[i] = x;
  assert(i != 2);
}
