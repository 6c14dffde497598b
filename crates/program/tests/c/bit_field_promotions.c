// A narrow unsigned field is an int in arithmetic.
struct s { unsigned a : 3; unsigned w : 32; _Bool b : 1; };
int main(void) {
    struct s s = { 1, 1, 2 };
    int r = 0;
    if (s.a - 2 < 0) r |= 1;
    if (s.w - 2 > 0) r |= 2;
    if (s.b) r |= 4;
    s.b = 0; s.b = s.a == 1;
    return r | s.b << 3 | (-s.a < 0) << 4;
}
