#include <assert.h>
unsigned char nondet_uchar(void);
int main(void){
  unsigned char a = nondet_uchar(), b = nondet_uchar();
  __CPROVER_assume(a < 16 && b < 16);
  int t;
  if (b > 2) {
    t = a - b;
    a = t * 2;
  }
  assert(a <= 5);
}
