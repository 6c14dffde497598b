// violated: undefined-shift
int main(void) { int n = 30, s = 0; while (n < 40) s ^= 1u << n++; return s; }
