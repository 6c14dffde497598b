// Members of anonymous structures and unions are members of the outside.
struct shape {
    int kind;
    union {
        struct { int w, h; };
        int radius;
        struct { unsigned char low, high; } parts;
    };
};
int main(void) {
    struct shape s = { .kind = 1, .w = 0x1234, .h = 7 };
    int a = s.radius;
    s.parts.high = 0xff;
    return a + s.w * 3 + s.h * 1000000 + (int)sizeof(struct shape);
}
