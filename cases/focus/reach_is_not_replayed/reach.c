int nondet_int(void);
int main(void) {
  int s = nondet_int(), l = 0;
  if (s > 5) l = 3;
  return l;
}
