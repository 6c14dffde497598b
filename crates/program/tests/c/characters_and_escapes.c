// Character constants and their signs.
int main(void) {
    char a = 'A', n = '\n', z = '\0', x = '\x7f', o = '\101', q = '\'';
    char hi = '\xff';
    return a + n * 2 + z * 3 + x * 4 + (o == a) * 10000 + q * 5 + (hi < 0) * 100000 + (int)sizeof('a') * 1000000;
}
