struct device { int open; };
struct device first, second;
struct device *choose(void);

int main(void)
{
  struct device *chosen = choose();
  first.open = 1;
  if (chosen == &first || chosen == &second)
    __CPROVER_assert(chosen->open == 1, "the chosen device is open");
  return 0;
}
