// Attributes, inline, noreturn, alignment.
static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }
__attribute__((unused)) static int never(void) { return 1; }
struct __attribute__((packed)) p { char c; int i; };
_Alignas(16) static char buffer[16];
int main(void) {
    struct p p = { 1, 0x01020304 };
    char *c = (char *)&p;
    return twice(c[1] + c[4] * 100) + (int)sizeof(struct p) * 1000 + (int)((unsigned long)buffer % 16);
}
