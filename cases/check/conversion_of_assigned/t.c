int input(void);

int main(void)
{
    short high = 32767;
    unsigned char bits = 3;
    signed char sum = 0;
    unsigned char low = 0;
    int x = input();
    if (x == 0)
        high++;
    if (x == -5)
        bits |= x;
    if (x == 200)
        sum += x;
    if (x == 1)
        low--;
    bits &= 1;
    return 0;
}
