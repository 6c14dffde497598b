#include <assert.h>
int nondet_int(void);
static int mat[2][2];
static int det(int m[2][2]) { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }
int main(void) {
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { mat[i][j] = nondet_int(); __CPROVER_assume(mat[i][j] >= 0 && mat[i][j] <= 3); }
    int t[2][2];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) t[j][i] = mat[i][j];
    if (mat[0][0] == 0) t[0][1] = mat[0][1];
    assert(mat[1][1] == 0 || det(t) == det(mat) || mat[0][0]);
    assert(!mat[0][0] || (det(mat) != 9 && !(det(t) == 5 && t[0][1] == 2)));
    return 0;
}
