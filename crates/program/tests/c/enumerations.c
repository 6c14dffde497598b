// Enumerators count on from the last value given.
enum colour { RED, GREEN = 5, BLUE, ALPHA = -2, OMEGA };
typedef enum { SMALL = 1, LARGE = 1 << 20 } size;
static int of(enum colour c) { return c == BLUE ? 60 : c; }
int main(void) {
    enum colour c = BLUE;
    size s = LARGE;
    int t[BLUE] = { [GREEN] = 9 };
    return of(c) + of(OMEGA) * 1000 + s + t[5] + RED + (int)(sizeof t / sizeof *t) * 10 + (int)sizeof(enum colour);
}
