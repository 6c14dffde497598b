static int counter = 3;
static const int limit = 10;

int next(void)
{
    static int calls;
    return ++calls + counter;
}

int main(void)
{
    __CPROVER_assert(limit == 10, "const objects keep their value");
    __CPROVER_assume(counter >= 0 && counter < 100);
    int value = next();
    __CPROVER_assert(value == 4, "only after a start");
    return 0;
}
