// Cases fall through, default in the middle, ranges of GNU C.
static int f(int x) {
    int r = 0;
    switch (x) {
    case 1: r += 1;
    case 2: r += 10; break;
    default: r += 1000;
    case 3: r += 100;
    case -4: r += 5; break;
    case 10 ... 20: r = x; break;
    }
    return r;
}
int main(void) {
    return f(1) + f(2) * 3 + f(3) * 7 + f(99) * 11 + f(-4) * 13 + f(15) * 17 + f(20) * 19 + f(21);
}
