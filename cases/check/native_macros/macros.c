#include <assert.h>
#define IN nondet_int()
int nondet_int(void);
int main(void) {
  int total = 0;
  for (int i = 0, k; i < 3; i++) {
    int u; int a[2];
    total += u * 10 + a[1];
    if (k != 4) return 0;
    if (u != i + 1 || a[1] != i) return 0;
  }
  int t = IN;
  if (t == 6) { goto later; }
  int skipped = 3;
later:
  assert(total != 63 || t != 6);
}
