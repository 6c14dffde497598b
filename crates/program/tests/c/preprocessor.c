// Macros with arguments, strings, pasting, conditions.
#define SQUARE(x) ((x) * (x))
#define CAT(a, b) a##b
#define STR(x) #x
#define XSTR(x) STR(x)
#define COUNT(...) (sizeof((int[]) { __VA_ARGS__ }) / sizeof(int))
#if defined(SQUARE) && SQUARE(3) == 9
#define YES 1
#else
#define YES 0
#endif
#undef CAT
#define CAT(a, b, c) a##b##c
int main(void) {
    int CAT(v, a, r) = SQUARE(2 + 1);
    const char *s = XSTR(YES) STR(+ "q");
    return var + YES * 10 + s[0] * 100 + s[3] * 10000 + (int)COUNT(1, 2, 3) * 1000000 + (__LINE__ == 20) * 5000000;
}
