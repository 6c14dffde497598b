int table[4];
int *find(int key);

int main(void)
{
  int *found = find(3);
  if (found == &table[3]) {
    *found = 7;
    __CPROVER_assert(table[3] == 7, "found and table[3] are one");
    __CPROVER_assert(0, "it may be found");
  }
  return 0;
}
