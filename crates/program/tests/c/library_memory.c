// memcpy, memmove, memset, memcmp, calloc, realloc.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789";
    memmove(a + 2, a, 8);
    int r = a[2] + a[9] * 3;
    memmove(a, a + 4, 6);
    r += a[0] * 5 + a[5] * 7;
    memset(a + 3, 'x', 4);
    r += (memcmp(a + 3, "xxxx", 4) == 0) * 1000 + (memcmp("ab", "ac", 2) < 0) * 2000;
    int *p = calloc(4, sizeof *p);
    if (!p) return -1;
    p[3] = 9;
    p = realloc(p, 8 * sizeof *p);
    if (!p) return -1;
    p[7] = 4;
    int q[4];
    memcpy(q, p, sizeof q);
    r += q[3] * 10000 + p[7] * 100000 + q[0];
    free(p);
    return r;
}
