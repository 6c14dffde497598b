#include <assert.h>
int z;
__attribute__((constructor)) static void early(void) { z = 3; }
int main(void) { assert(z == 0); return 0; }
