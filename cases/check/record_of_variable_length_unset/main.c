#include <assert.h>

int main(void)
{
    int n = 3;
    struct reply { char text[n]; short status; } r;
    r.text[0] = 'a';
    assert(r.status != 5);
    return 0;
}
