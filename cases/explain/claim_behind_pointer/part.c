#include <assert.h>
unsigned char nondet_uchar(void);
struct s { int a; int b[3]; } g;
static void put(int *p, int v) { p[1] = v; }
int main(void){
  unsigned char n = nondet_uchar();
  g.b[1] = 7;
  put(g.b, n);
  assert(g.b[1] != 4);
}
