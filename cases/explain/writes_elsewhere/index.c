#include <assert.h>
unsigned char nondet_uchar(void);
int main(void){
  unsigned char i = nondet_uchar();
  __CPROVER_assume(i < 3);
  unsigned char a[3] = {5, 5, 5};
  a[i] = 9;
  a[0] += 1;
  assert(a[0] != 10);
}
