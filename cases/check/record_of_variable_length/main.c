#include <assert.h>
#include <string.h>

/* gcc takes arrays of variable length in records. */
static int packed(int n)
{
    struct message { int kind; char text[n]; short check; } one, two, *to = &two;
    assert(sizeof one >= sizeof(int) + n + sizeof(short));
    one.kind = 1;
    one.check = 7;
    memset(one.text, 'x', n);
    n = 100;
    *to = one;
    assert(sizeof one < 16 && to->check == 7 && to->text[0] == 'x');
    return to->kind;
}

int main(void)
{
    int n;
    if (n < 1 || n > 5)
        return 0;
    return packed(n) - 1;
}
