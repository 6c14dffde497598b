// Arithmetic modulo powers of two, and hashing that lives of it.
int main(void) {
    unsigned a = 4000000000u, b = 3000000000u;
    unsigned long long h = 14695981039346656037ull;
    for (const char *s = "nearmiss"; *s; s++) { h ^= (unsigned char)*s; h *= 1099511628211ull; }
    unsigned short s = 65535; s += 2;
    unsigned char c = 0; c--;
    unsigned x = 1; x = -x;
    return (int)(a + b) % 1000 + (int)(a * b % 997) + (int)(h % 1000003) + s + c + (x == 4294967295u);
}
