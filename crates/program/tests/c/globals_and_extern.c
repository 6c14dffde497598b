// Tentative definitions, addresses as initialisers, declarations inside functions.
int a;
int a;
extern int b;
static int table[4] = { 1, 2, 3 };
int *p = &table[2], **q = &p;
struct { int x; int *to; } s = { 5, &a };
static int use(void) { extern int b; return b; }
int b = 6;
const char *names[2] = { "ab", "cd" };
int main(void) {
    a = use();
    *s.to += 4;
    **q = 9;
    return a + table[2] * 100 + table[3] + s.x * 1000 + names[1][0] * 10000;
}
