// binary32 rounds at every step; float meets double and int.
int main(void) {
    float f = 16777216.0f, g = 0.1f, sum = 0;
    int r = f + 1.0f == f;
    r += (g == 0.1) * 2 + (g == (float)0.1) * 4 + (g > 0.1) * 8;
    for (int i = 0; i < 10; i++) sum += g;
    r += (sum == 1.0f) * 16 + (int)(sum * 1e6f) % 100 * 32;
    float h = 1.0f / 3;
    double d = h;
    union { float f; unsigned u; } v = { .f = h * 7 - 2 };
    return r + (int)(d * 1e9) % 10007 + (int)(v.u % 1009) + (int)(-h * 10) + (int)((short)1.9f) + (f != 0);
}
