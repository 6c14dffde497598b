// The innermost name wins; a for has a scope of its own.
int x = 1;
static int outer(void) { return x; }
int main(void) {
    int r = x;
    int x = 2;
    { int x = 3; r += x * 10; { extern int x; r += x * 100; } }
    for (int x = 5; x < 6; x++) { int x = 7; r += x * 1000; }
    if (x) { int x = 8; r += x * 10000; }
    struct x { int x; } y = { x };
    return r + y.x * 100000 + outer() * 1000000;
}
