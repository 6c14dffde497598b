#include <assert.h>
unsigned char nondet_uchar(void);
_Bool nondet_bool(void);
typedef union { unsigned short w; struct { unsigned char lo, hi; } b; } reg;
static reg R; static int irq;
static void wr(unsigned char a, unsigned char v) { if (a & 1) R.b.hi = v; else R.b.lo = v; if (R.w > 0x0200) goto fire; return; fire: irq++; }
int main(void) {
  unsigned char a = nondet_uchar(), v = nondet_uchar();
  int en = nondet_bool();
  wr(a, v);
  if (en) wr(a + 1, v >> 1);
  assert(!(en && R.b.hi != 0) || irq == 0 || (R.b.lo & 1));
  assert(!en || irq < 2 || v > 4);
  return 0;
}
