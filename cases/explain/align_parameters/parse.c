#include <assert.h>
int nondet_int(void);
static int depth;
int parse(const char *s, int i, int n) {
    if (i >= n) return i;
    if (s[i] == '(') {
        depth++;
        i = parse(s, i + 1, n);
        if (i < n && s[i] == ')') { depth--; return parse(s, i + 1, n); }
        return i;
    }
    return i;
}
int main(void) {
    char s[3];
    int open = 0, close = 0;
    for (int i = 0; i < 3; i++) {
        s[i] = nondet_int() ? '(' : ')';
        if (s[i] == '(') open++; else close++;
    }
    int e = parse(s, 0, 3);
    assert(e < 3 || depth == open - close + 0 && depth < 3);
    return 0;
}
