// Prototypes without names, (void) casts, empty statements.
int f(int, char *);
int f(int a, char *b) { return a + (b ? *b : 0); }
int main(void) {
    (void)f(1, 0);
    ;;;
    if (1) ; else return 9;
    char c = 'c';
    { }
    return f(2, &c);
}
