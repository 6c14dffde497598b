int main(void)
{
    int taken;
    if (taken > 3)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
