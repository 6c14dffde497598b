// The cyclic redundancy check of a text.
static unsigned table[256];
static void make(void) { for (unsigned n = 0; n < 256; n++) { unsigned c = n; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; table[n] = c; } }
int main(void) {
    make();
    unsigned c = 0xffffffffu;
    for (const char *s = "The quick brown fox"; *s; s++) c = table[(c ^ (unsigned char)*s) & 0xff] ^ c >> 8;
    return (int)(c ^ 0xffffffffu);
}
