#include <assert.h>
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "w"); if (f) fprintf(f, "x"); assert(!f); }
