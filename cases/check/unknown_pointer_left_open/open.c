unsigned long address(void);

int main(void)
{
  int x = 3;
  int *p = (int *)address();
  if (p == &x)
    __CPROVER_assert(0, "a number is not the address of a local here");
  return 0;
}
