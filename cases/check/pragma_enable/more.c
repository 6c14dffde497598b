unsigned twice(unsigned n)
{
    return n * 2;
}
