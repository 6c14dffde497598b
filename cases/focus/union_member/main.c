// The input is stored in `bytes[0]`, which lies where `word` does.
unsigned char nondet_uchar(void);

union number {
    unsigned short word;
    unsigned char bytes[2];
};

int main(void) {
    union number it;
    it.bytes[0] = nondet_uchar();
    it.bytes[1] = 7;
    __CPROVER_assert(it.bytes[0] > 6, "large enough");
}
