#include <assert.h>
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  int y = x + 1;
  int r = 0;
  if (y > 10) r = 1;
  if (r == 1 && y < 5)
    r = 3;
  return r;
}
