// Suffixes, bases, types that grow with the value.
int main(void) {
    int r = 0x7f + 0123 + 0b101 + 'a';
    return r;
}
