#include <assert.h>
int nondet_int(void);
int t[4] = { 2, 0, 3, 1 };
int main(void) { int a = nondet_int(); int b = nondet_int(); int s = 0; int y = 0; if (a < 0 || a > 3 || b < 0 || b > 3) return 0;
    for (int i = 0; i < 2; i++) { for (int j = 0; j < b && j < 1; j++) { s = s + 1; } if (t[a] > 1 && s + t[b] * 2 - a > t[i] * 3 + y && t[3 - a] < 3) y = a > 1 ? b : y + 1; }
    assert(s < 2 && t[a] + y * 4 < 100 && "a line that is far too long to have the two columns right beside it");
}
