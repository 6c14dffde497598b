#include <assert.h>
unsigned char nondet_uchar(void);
void log_(int x);
int main(void){
  unsigned char n = nondet_uchar();
  __CPROVER_assume(n <= 6);
  if (n == 2) { log_(1); log_(2); log_(3); log_(4); }
  assert(n != 2 && n != 4);
}
