#include <assert.h>

int nondet_int(void);

static int run(const int *code, int n)
{
    int sum = 1;
    for (int i = 0; i < n; i++) {
        if (code[i] == 0)
            return sum;
        if (code[i] == 1)
            sum += 3;
        else
            sum *= 9;
    }
    return sum;
}

// What would meet in code that the passing run does not execute is no value of it.
int main(void)
{
    int code[3];
    for (int i = 0; i < 3; i++) {
        code[i] = nondet_int();
        __CPROVER_assume(code[i] >= 0 && code[i] <= 2);
    }
    int sum = run(code, 3);
    assert(sum != 36);
}
