#include <assert.h>
int nondet_int(void);
struct pair { int a, b; };
static int limited(int x)
{
    signed char c = -1;
    int z = ({
        if (x > 3)
            goto out;
        c = 5;
    out:
        c;
    });
    return z;
}
static struct pair swapped(struct pair p, int x)
{
    return ({
        if (x)
            goto done;
        p = (struct pair){ p.b, p.a };
    done:
        p;
    });
}
int main(void)
{
    int x = nondet_int();
    assert(limited(x) == (x > 3 ? -1 : 5));
    struct pair p = { 1, 2 };
    assert(swapped(p, x).a == (x ? 1 : 2));
    unsigned wide = ({ last: (unsigned char)300; });
    assert(wide == 44);
    assert(limited(x) != 5);
}
