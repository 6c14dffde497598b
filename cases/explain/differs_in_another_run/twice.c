#include <assert.h>
volatile unsigned char reg;
int main(void){
  unsigned char a = reg;
  unsigned char b = reg;
  assert(a == b);
}
