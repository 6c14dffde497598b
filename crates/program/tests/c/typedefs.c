// Names of types, shadowed by a variable.
typedef unsigned long word;
typedef int matrix[2][3];
typedef int (*binary)(int, int);
typedef struct point { int x, y; } point, *point_ref;
static int plus(int a, int b) { return a + b; }
int main(void) {
    word w = 40;
    matrix m = { { 1, 2, 3 }, { 4, 5, 6 } };
    binary f = plus;
    point p = { 7, 8 };
    point_ref r = &p;
    { int word = 5; w += word; }
    return (int)w + m[1][2] * 100 + f(r->x, r->y) * 1000;
}
