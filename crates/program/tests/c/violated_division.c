// violated: division-by-zero
int main(void) { int d = 3, s = 0; for (;;) s += 12 / d--; }
