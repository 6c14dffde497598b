int main(void)
{
    unsigned a = 4294967295u;
    return a + 1 == 0;
}
