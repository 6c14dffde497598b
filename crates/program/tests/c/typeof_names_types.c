// typeof of types, expressions and arrays.
int main(void) {
    int a[3] = { 1, 2, 3 };
    typeof(a) b = { 4, 5, 6 };
    __typeof__(a[0]) c = 7;
    typeof(&c) p = &b[1];
    typeof(int *) q = a;
    typeof(1 ? (char)1 : (char)2) d = 300;
    typeof(unsigned char) e = 300;
    return b[2] + c * 10 + *p * 100 + q[1] * 1000 + d * 10000 + e * 3 + (int)sizeof(typeof(b));
}
