// What one member writes, another reads.
union word { unsigned u; unsigned char b[4]; float f; short s[2]; };
int main(void) {
    union word w = { .f = 1.0f };
    unsigned one = w.u;
    w.b[3] = 0xc0;
    int minus = w.f < 0;
    w.u = 0x80017fff;
    return (one == 0x3f800000) + minus * 2 + (w.s[0] == 32767) * 4 + (w.s[1] == -32767) * 8 + w.b[0] * 16;
}
