#include <assert.h>

int nondet_int(void);

enum tag { NUMBER, REFERENCE };

struct value {
    enum tag tag;
    union {
        int number;
        const struct value *reference;
    } as;
};

static int follow(const struct value *v)
{
    return v->tag == REFERENCE ? v->as.reference->as.number : v->as.number;
}

int main(void)
{
    struct value target = {NUMBER, {7}}, v;
    int kind = nondet_int();
    v.tag = kind == 1 ? REFERENCE : NUMBER;
    if (v.tag == REFERENCE)
        v.as.reference = &target;
    else
        v.as.number = 3;
    assert(follow(&v) == 3 || follow(&v) == 7);
    assert(follow(&v) != 7);
    return 0;
}
