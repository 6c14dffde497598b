// _Generic picks by type.
#define KIND(x) _Generic((x), int: 1, unsigned: 2, char *: 3, double: 4, const char *: 5, default: 9)
int main(void) {
    char s[2] = "a"; const char *t = s; short h = 1;
    return KIND(1) + KIND(1u) * 10 + KIND(s) * 100 + KIND(2.0) * 1000 + KIND(t) * 10000 + KIND(h + 0) * 100000 + KIND(1.0f) * 1000000 + KIND('a') * 10000000;
}
