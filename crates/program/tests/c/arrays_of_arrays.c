// Rows follow one another; names of arrays become pointers to rows.
static int trace(int m[][4], int n) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }
int main(void) {
    int m[4][4], cube[2][3][4];
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) m[i][j] = i * 10 + j;
    int *flat = &m[0][0];
    for (int i = 0; i < 24; i++) (&cube[0][0][0])[i] = i;
    int (*row)[4] = m + 2;
    return trace(m, 4) + flat[7] * 100 + (*row)[3] * 10000 + row[1][0] * 1000000 + cube[1][2][3] + (int)sizeof cube[0];
}
