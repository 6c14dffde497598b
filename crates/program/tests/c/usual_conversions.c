// Signed meets unsigned: the wider or the unsigned wins.
int main(void) {
    int r = 0;
    if (-1 > 0u) r |= 1;
    if (-1L < 0u) r |= 2;
    if (-1 < (unsigned char)0) r |= 4;
    if (-1L > 0ul) r |= 8;
    if ((short)-1 == (unsigned short)65535) r |= 16;
    if (1u - 2 > 0) r |= 32;
    if (-2147483647 - 1 < 2147483648) r |= 64;
    long long x = -5; unsigned y = 3;
    r += (int)(x * y) * 1000;
    return r;
}
