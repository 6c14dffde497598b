#include <assert.h>
#include <stdint.h>
int x;
int main(void) { uintptr_t a = (uintptr_t)&x; assert(a % 1024 != 0); }
