#include <assert.h>

#define CHECK(q) assert((q)->used == 0 ? (q)->sum == 0 : (q)->sum >= (q)->used)

int nondet_int(void);

struct queue { int used, sum; };

// The claim names an object as a whole.
int main(void)
{
    struct queue q = {0, 0};
    int add = nondet_int();
    __CPROVER_assume(add >= 0 && add < 3);
    q.used++;
    q.sum += add;
    CHECK(&q);
}
