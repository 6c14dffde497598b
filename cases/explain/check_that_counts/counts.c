#include <assert.h>
unsigned char nondet_uchar(void);
static int errs;
int main(void) {
  unsigned char x = nondet_uchar(), y = nondet_uchar();
  if (x == 7) return 1;
  if (!(x < y)) { errs++; assert(x < y); }
  return 0;
}
