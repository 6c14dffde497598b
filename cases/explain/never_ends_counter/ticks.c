#include <assert.h>
int nondet_int(void);
int main(void) {
  unsigned ticks = 0; int level = 0;
  while (1) {
    int in = nondet_int();
    if (in == 1) level++;
    ticks++;
    assert(level < 2);
  }
}
