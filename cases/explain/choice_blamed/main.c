#include <assert.h>
int nondet_int(void);
float nondet_float(void);
static int heat; static float prev;
static int ctl(float t, int mode) {
  if (mode == 0) { heat = 0; return 0; }
  if (t < 18.0f) heat++; else if (t > 22.0f && heat) heat--;
  prev = t;
  return heat > 2 ? 2 : heat;
}
int main(void) {
  int mode = nondet_int(), r = 0, k = 0;
  __CPROVER_assume(mode >= 0 && mode <= 2);
  while (k < 3) {
    float t = nondet_float();
    __CPROVER_assume(t >= -40.0f && t <= 60.0f);
    r = ctl(t, k++ ? mode : 1);
    if (mode == 2 && r == 0) break;
  }
  assert(mode == 0 ? r == 0 && heat == 0 : mode == 1 ? r < 3 && heat < 3 : k > 1 || r == 0);
  return 0;
}
