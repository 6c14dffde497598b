// GNU C: the value of a block.
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int main(void) {
    int i = 3, j = 4;
    int m = MAX(i++, j);
    int s = ({ int t = 0; for (int k = 0; k < 5; k++) t += k; t; });
    int n = ({ if (m) s++; s * 2; }) + 1;
    long l = MAX(2L, ({ long z = i; z; }));
    return m + s * 10 + n * 1000 + i * 100000 + (int)l * 1000000;
}
