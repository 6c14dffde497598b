// Signed and unsigned fields, wrapping, and the unnamed one that starts a new unit.
struct flags { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 7; unsigned d : 1; long long e : 20; };
int main(void) {
    struct flags f = { 9, -3, 127, 1, -1 };
    f.b -= 14;
    f.c++;
    f.a = f.a * 3 + 6;
    f.e = f.e - (1 << 18);
    int r = f.a + f.b * 10 + f.c * 1000 + f.d * 2000;
    return r + (f.e < 0) * 100000 + (int)sizeof f * 1000000 + (int)(f.e >> 16) * 10000;
}
