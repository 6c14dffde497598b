// Types, expressions that are not evaluated, arrays that decay or not.
static int g(int a[10]) { return (int)sizeof a; }
int main(void) {
    int i = 3, a[7];
    char s[] = "hello";
    int r = (int)(sizeof(int) + sizeof a * 10 + sizeof s * 1000 + sizeof(a + 0) * 10000 + sizeof i++);
    struct { char c[3]; } t;
    r += (int)sizeof t + (int)sizeof(long double) * 0 + (int)sizeof(char[3][5]) * 100000 + (int)sizeof "xy" + (int)sizeof(void *);
    return r + i + g(a) + (int)sizeof(struct { long l; char c; }) + (int)sizeof 1.0f + (int)sizeof(1 + 1L);
}
