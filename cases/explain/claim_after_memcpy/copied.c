#include <assert.h>
#include <string.h>
unsigned char nondet_uchar(void);
int main(void){
  unsigned char n = nondet_uchar();
  int x = 3;
  int y = n;
  memcpy(&x, &y, sizeof x);
  unsigned char b[4] = {1, 1, 1, 1};
  memset(b, n, 4);
  assert(x < 5 || b[2] == 0);
}
