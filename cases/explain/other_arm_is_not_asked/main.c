int nondet_int(void);
struct m { int a[2][2]; };
static struct m mul(struct m x, struct m y) { struct m r; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) r.a[i][j] = x.a[i][0] * y.a[0][j] + x.a[i][1] * y.a[1][j]; return r; }
int main(void) {
  struct m x = {{{1, 1}, {1, 0}}};
  int n = nondet_int(), k = nondet_int();
  __CPROVER_assume(n >= 0 && n <= 4 && k >= -1 && k <= 2);
  struct m r = {{{1, 0}, {0, 1}}};
  while (n-- > 0) r = mul(r, x);
  int i = k > 0 ? k : 0;
  int q = 10 / (r.a[1][1] - i);
  __CPROVER_assert(q <= 10 && (i == 0 ? q > 0 : q != -10 || n > 0), "q");
  return r.a[0][i];
}
