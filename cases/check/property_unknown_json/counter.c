#include <assert.h>
int main(void){ int x = 0; while (1) x = (x + 1) % 4; assert(x == 5); return 0; }
