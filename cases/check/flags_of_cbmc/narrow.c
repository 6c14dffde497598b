int main(void)
{
    int wide = 300;
    unsigned char narrow = wide;
    return narrow;
}
