extern void assert(_Bool);

int main(void)
{
    int x;
    if (x > 3)
        x = 3;
    assert(x < 3);
    return 0;
}
