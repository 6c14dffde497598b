// Memory of the function that asked.
static int use(int n) { char *p = __builtin_alloca(n); for (int i = 0; i < n; i++) p[i] = (char)(i * 3); int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int main(void) { int s = 0; for (int i = 1; i < 8; i++) s = s * 3 + use(i * 2); return s; }
