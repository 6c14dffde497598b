int *smaller(const int *a, const int *b);

int main(void)
{
  int x = 3, y = 4;
  int *p = smaller(&x, &y);
  __CPROVER_assume(p == &x || p == &y);
  *p = 0;
  __CPROVER_assert(x == 0, "x is the smaller one");
  return 0;
}
