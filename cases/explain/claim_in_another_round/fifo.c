#include <assert.h>
unsigned char nondet_uchar(void);
struct fifo { unsigned char buf[3]; unsigned char r, w, n; } f;
int put(unsigned char c){ if (f.n > 3) return 0; f.buf[f.w] = c; f.w = (f.w + 1) % 3; f.n++; return 1; }
int take(void){ if (!f.n) return -1; int c = f.buf[f.r]; f.r = (f.r + 1) % 3; f.n--; return c; }
int main(void){
  unsigned char ops = nondet_uchar();
  int sent = 1, got = 1;
  for (int i = 0; i < 6; i++) {
    if (ops >> i & 1) { if (put(sent)) sent++; }
    else { int c = take(); if (c >= 0) { assert(c == got); got++; } }
  }
}
