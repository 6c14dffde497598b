static int half(int n)
{
    return n > 0 ? n / 2 : 1;
}
