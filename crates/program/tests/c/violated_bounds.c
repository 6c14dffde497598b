// violated: array_bounds
int main(void) { int a[3] = { 0 }, s = 0; for (int i = 0; i <= 3; i++) s += a[i]; return s; }
