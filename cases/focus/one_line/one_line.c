#include <assert.h>
int nondet_int(void);
int main(void) {
  int a = nondet_int(), b = nondet_int(), x = 0, y = 0, z = 0;
  if (a > 3) { x = 1; y = 2; } else x = 5; z = x + y; if (b) z++;
  while (a > 0 && a < 3) { a++; z--; } assert(z != 3);
  return 0;
}
