// A pointer survives the way through an integer; low bits can carry tags.
#include <stdint.h>
int main(void) {
    long v[4] = { 10, 20, 30, 40 };
    uintptr_t u = (uintptr_t)&v[1];
    long *p = (long *)(u + sizeof(long));
    uintptr_t tagged = u | 1;
    long *q = (long *)(tagged & ~(uintptr_t)7);
    int zero = (intptr_t)(void *)0 == 0;
    return (int)(*p + *q * 100 + (tagged & 1) * 10000 + zero * 100000 + (u % sizeof(long) == 0) * 1000000);
}
