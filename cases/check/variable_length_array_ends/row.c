int main(void)
{
  int *last = 0;
  for (int n = 1; n < 3; n++) {
    int row[n];
    row[n - 1] = n;
    last = row;
  }
  return *last;
}
