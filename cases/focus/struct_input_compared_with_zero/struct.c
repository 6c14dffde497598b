#include <assert.h>

int nondet_int(void);

struct S {
    int a;
};

int main(void)
{
    struct S s;
    s.a = nondet_int();
    if (s.a == 0)
        return 0;
    assert(0);
}
