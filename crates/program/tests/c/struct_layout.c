// Sizes, offsets and padding of the ABI.
#include <stddef.h>
struct a { char c; int i; char d; };
struct b { char c; double d; short s; };
struct c { struct a a; char z; };
struct d { char x[3]; short y; long z; };
union u { char c[5]; int i; };
int main(void) {
    return (int)(sizeof(struct a) + 10 * offsetof(struct a, d) + 100 * sizeof(struct b) + 10000 * offsetof(struct b, s)
        + 1000000 * sizeof(struct c) + 7 * offsetof(struct d, z) + 3 * sizeof(union u) + _Alignof(struct b) * 13);
}
