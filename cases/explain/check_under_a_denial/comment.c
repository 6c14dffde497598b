#include <assert.h>
int nondet_int(void);
/* comments of C, read until the input ends */
static int st;
static int feed(int c) {
    switch (st) {
    case 0: if (c == '/') st = 1; return c != '/';
    case 1: if (c == '*') { st = 2; return 0; } st = 0; return 2;
    case 2: if (c == '*') st = 3; return 0;
    case 3: st = c == '/' ? 0 : 2; return 0;   /* bug: ** / */
    }
    return -1;
}
int main(void) {
    int c, last = 0, prev = 0, n = 0;
    while (n < 6 && (c = nondet_int()) != -1) {
        __CPROVER_assume(c == '/' || c == '*' || c == 'a');
        n++;
        feed(c);
        prev = last;
        last = c;
    }
    assert(!(n >= 4 && prev == '*' && last == '/') || st != 2);
    return 0;
}
