// A declaration with an initialiser runs each time round.
int main(void) {
    int s = 0;
    for (int i = 0; i < 4; i++) {
        int n = 5, v[3] = { i };
        n += i; v[1] += n; v[2]++;
        s += n * 10 + v[0] + v[1] + v[2];
    }
    return s;
}
