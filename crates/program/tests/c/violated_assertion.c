// violated: assertion
#include <assert.h>
int main(void) { int x = 3; assert(x > 2); x -= 2; assert(x > 1); return 0; }
