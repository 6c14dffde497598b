#include <assert.h>

struct box {
    int size;
    unsigned full : 1;
    char mark[2];
};

int main(void)
{
    int a, b = a;
    struct box box;
    if (b == 3 && box.size == 9 && box.full == 1 && box.mark[1] == 'x')
        assert(box.mark[0] != 'y');
    return 0;
}
