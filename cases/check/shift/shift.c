unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char by = nondet_uchar();
    if (by > 32)
        return 0;
    return 1u << by != 0;
}
