// Inner braces may be left out; strings initialise arrays.
struct s { int a[2]; struct { char c; short d; } in; char name[4]; };
int main(void) {
    struct s x[2] = { 1, 2, 'a', 4, "bcd", { { 5 }, .name = { 'e' } } };
    char t[] = "text", u[8] = "ab", v[3] = "xyz";
    int m[2][2] = { 1, 2, 3 };
    return x[0].a[1] + x[0].in.c + x[0].in.d + x[0].name[2] + x[1].a[0] * 1000 + x[1].name[0] + x[1].name[1]
        + (int)sizeof t * 10000 + u[1] + u[2] + v[2] + m[1][0] * 100000 + m[1][1];
}
