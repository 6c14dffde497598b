// Literals, concatenation, walking.
static int hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return (int)(h % 1000003); }
int main(void) {
    const char *s = "one" " " "two\t\x41\102";
    char a[] = "change me";
    a[0] = 'C'; a[7] = '\0';
    const char *t[] = { "x", "yy", "", "zzz" };
    int n = 0;
    for (int i = 0; i < 4; i++) n = n * 7 + hash(t[i]);
    return hash(s) + hash(a) + n % 1009 + (int)sizeof "abc" + "wxyz"[2] + *("q" + 1);
}
