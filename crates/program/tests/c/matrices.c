// Products of matrices as parameters of variable type.
#define N 3
typedef long matrix[N][N];
static void times(matrix a, matrix b, matrix r) {
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { r[i][j] = 0; for (int k = 0; k < N; k++) r[i][j] += a[i][k] * b[k][j]; }
}
int main(void) {
    matrix a = { { 1, 1, 0 }, { 1, 0, 1 }, { 0, 2, 1 } }, p = { { 1 }, { [1] = 1 }, { [2] = 1 } }, t;
    for (int i = 0; i < 10; i++) { times(a, p, t); for (int r = 0; r < N; r++) for (int c = 0; c < N; c++) p[r][c] = t[r][c]; }
    return (int)((p[0][0] * 7 + p[1][2] * 13 + p[2][1] * 31) % 1000003);
}
