#include <assert.h>
unsigned char nondet_uchar(void);
unsigned char q[3]; int head;
void push(unsigned char v){ q[head % 3] = v; head++; }
int main(void){
  for (int i = 0; i < 3; i++) push(nondet_uchar() & 1);
  int ones = 0;
  for (int i = 0; i < 3; i++) if (q[i]) ones++;
  assert(ones < 2 || q[1]);
}
