// Two names for one object; a byte at a time.
static void both(int *a, int *b) { *a += *b; *b += *a; }
int main(void) {
    int x = 3, y = 4;
    both(&x, &y); both(&x, &x);
    unsigned char *c = (unsigned char *)&x;
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof x; i++) { sum = sum * 256 + c[i]; }
    c[1] = 1;
    int *p = &y, *q = &y;
    *p = 5; (*q)++;
    return x + y * 1000 + (int)(sum % 1009) * 10000;
}
