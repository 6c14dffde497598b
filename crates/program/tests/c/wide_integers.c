// long long and __int128.
int main(void) {
    long long a = 0x7fffffffffffffffLL;
    unsigned __int128 p = (unsigned __int128)(unsigned long long)a * (unsigned long long)a;
    __int128 n = -(__int128)a - a;
    int r = (int)(p >> 64) % 1009 + (int)(unsigned long long)p;
    return r + (n < 0) * 1000 + (int)(n / 1000000007 % 1000) + (int)(n % 97) + (int)sizeof n * 10000;
}
