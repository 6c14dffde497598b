unsigned bits(unsigned char x)
{
    unsigned n = 0;
    for (int i = 0; i < 8; i++)
        n += (x >> i) & 1;
    return n;
}
