int state;

int main(void)
{
  unsigned long address;
  int *p = (int *)address;
  if (p == &state) {
    *p = 2;
    __CPROVER_assert(state == 2, "p points to state");
    __CPROVER_assert(0, "address may be that of state");
  }
  return 0;
}
