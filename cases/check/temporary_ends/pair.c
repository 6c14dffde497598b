struct pair { int value[2]; };

struct pair make(int first, int second)
{
  struct pair made = {{first, second}};
  return made;
}

int main(void)
{
  int sum = make(1, 2).value[0] + make(1, 2).value[1];
  int *value = make(3, 4).value;
  return sum + value[0];
}
