// abs, labs, isdigit and friends.
#include <ctype.h>
#include <stdlib.h>
int main(void) {
    int r = abs(-7) + (int)labs(-8L) * 10 + (!!isdigit('5')) * 100 + (!!isalpha('5')) * 200 + (!!isspace('\t')) * 400;
    r += toupper('q') * 1000 + tolower('Q') * 3 + (!!isupper('A')) * 5 + (!!islower('A')) * 6 + (!!isalnum('_')) * 7;
    return r;
}
