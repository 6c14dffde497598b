/* A word of three letters that must not look like a number. */
#include <assert.h>

char nondet_char(void);
int nondet_int(void);

int main(void)
{
    char word[3];
    int length = nondet_int();
    for (int i = 0; i < 3; i++)
        word[i] = nondet_char();
    if (length == 2 && word[0] >= '0' && word[1] >= '0')
        assert(word[0] > '9' || word[1] > '9');
    return 0;
}
