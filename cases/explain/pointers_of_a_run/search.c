#include <assert.h>
#include <stdlib.h>
#include <string.h>

char nondet_char(void);

/* A key stands before the sign; it has one letter at most. Memory comes between the text and the search in it. */
int main(void)
{
    char text[4] = {nondet_char(), nondet_char(), '=', '\0'};
    char *copy = malloc(4);
    const char *sign = strchr(text, '=');

    assert(sign - text < 2);
    free(copy);
    return 0;
}
