#include <assert.h>
unsigned char nondet_uchar(void);
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int dbl(int a, int b) { return add(a, a); }
int main(void) {
  static const op t[4] = { add, sub, dbl, 0 };
  int acc = 1;
  for (int i = 0; i < 2; i++) {
  unsigned char pc = nondet_uchar();
  __CPROVER_assume(pc < 4);
  if (!t[pc]) break;
  acc = t[pc](acc, 1);
  }
  assert(acc != 2);
  return 0;
}
