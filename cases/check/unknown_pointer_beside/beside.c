struct buffer {
  int *data;
  int size;
} buffer;
int memory;

void init(struct buffer *made);

int main(void)
{
  init(&buffer);
  if (buffer.data == &memory)
    memory = 1;
  __CPROVER_assert(buffer.size != 5, "whatever data is, size may be 5");
  return 0;
}
