#include <assert.h>
unsigned char nondet_uchar(void);
struct pkt { unsigned char t, l, v[2]; };
struct pkt nondet_pkt(void);
static int sum(struct pkt p, int from) { int s = 0; for (int i = from; i < p.l; i++) s += p.v[i]; return s; }
static int is_ctl(const struct pkt *p) { return p->t >= 8; }
int main(void) {
  struct pkt p = nondet_pkt();
  unsigned char lim = nondet_uchar();
  __CPROVER_assume(p.l <= 2 && p.t < 16 && p.v[0] < 8 && p.v[1] < 8 && lim < 10);
  if (is_ctl(&p) && p.l == 0) return 1;
  unsigned char tot = sum(p, 0) - sum(p, 1) * (p.t == 3);
  assert(is_ctl(&p) ? tot <= lim + 5 || p.v[0] > lim : !(p.l > 0 && p.v[p.l - 1] > 0) || tot > 0 && tot >= p.v[p.l - 1]);
  return 0;
}
