// Falling off the end of main returns 0.
static int g;
static void noop(void) { return; }
static void set(int x) { if (x) { g = x; return; } g = 9; }
int main(void) { noop(); set(0); set(3); if (g == 3) { } }
