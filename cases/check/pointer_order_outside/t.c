int main(void)
{
    int a[3];
    int *end = a + 3, *beyond = a + 4;
    int first = a < end;
    return beyond > end;
}
