// Right to left, through narrower types.
struct s { int a, b; };
int main(void) {
    int a, b; unsigned char c; double d;
    a = b = 7;
    a = c = 300;
    b = d = 2.9;
    struct s x, y, z;
    x = y = z = (struct s) { 1, 2 };
    int v[3];
    v[0] = v[1] = v[2] = a + b;
    return a + b * 100 + (int)(d * 10) * 1000 + x.b * 100000 + (v[0] == v[2]) * 1000000;
}
