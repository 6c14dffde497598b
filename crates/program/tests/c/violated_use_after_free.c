// violated: pointer_dereference
#include <stdlib.h>
int main(void) { int *p = malloc(8); if (!p) return 0; *p = 1; free(p); return *p; }
