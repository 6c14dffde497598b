#include <assert.h>
int nondet_int(void); _Bool nondet_bool(void);
/* parser of key=value with two exit paths */
static int parse(const int *s, int *k, int *v) {
    int i = 0;
    *k = *v = 0;
    while (s[i] && s[i] != '=') *k = *k * 2 + s[i++];
    if (!s[i]) return -1;
    i++;
    while (s[i]) *v = *v * 2 + s[i++];
    return i;
}
int main(void) {
    int s[4], k, v;
    for (int i = 0; i < 3; i++) { s[i] = nondet_int(); __CPROVER_assume(s[i] == 0 || s[i] == 1 || s[i] == '='); }
    s[3] = 0;
    int r = parse(s, &k, &v);
    assert((r > 0 && k + v <= 3) || (r == -1 && v == 0 && k < 7));
    return 0;
}
