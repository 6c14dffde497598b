// _Bool takes 1 for everything that is not 0, floats and pointers included.
#include <stdbool.h>
int main(void) {
    _Bool a = 256, b = 0.5, c = (void *)0, d = -1;
    bool e = &a != 0;
    int x = 1;
    _Bool f = &x;
    a += 5;
    d--;
    _Bool g = 3 & 4;
    return a | b << 1 | c << 2 | d << 3 | e << 4 | f << 5 | g << 6 | (int)sizeof(_Bool) << 8 | !a << 10 | (a + a) << 12;
}
