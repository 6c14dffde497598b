#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[8];
    strcpy(text, "abc");
    __CPROVER_assert(strlen(text) == x - 2 && abs(-x) == 5, "x is 5 here and nothing in our models");
    return 0;
}
