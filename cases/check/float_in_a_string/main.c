#include <assert.h>
#include <math.h>
#include <stdlib.h>

char nondet_char(void);

int main(void)
{
    char text[] = "0x1p?", word[] = "?nf", *end;
    text[4] = nondet_char();
    word[0] = nondet_char();
    double number = strtod(text, &end);
    assert(end == text + 3 || end == text + 5);
    assert(number >= 1 && number <= 512);
    assert(isinf(strtold(word, 0)) || strtold(word, 0) == 0);
    assert(number != 64);
    return 0;
}
