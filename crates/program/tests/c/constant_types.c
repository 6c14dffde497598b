// A literal has the first type that holds it.
int main(void) {
    return (int)(sizeof 2147483647 + sizeof 2147483648 * 10 + sizeof 0xffffffff * 100 + sizeof 1u * 1000 + sizeof 1l * 10000
        + sizeof 1ull * 100000) + (0xffffffff > 0) * 3 + (-2147483648 < 0) * 5 + (0x80000000 > 0) * 7 + 1e3f / 1000 + 0x1p4;
}
