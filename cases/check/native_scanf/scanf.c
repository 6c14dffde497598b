#include <assert.h>
#include <stdio.h>
int main(void) { int x; scanf("%d", &x); assert(x != 3); }
