#include <assert.h>
int nondet_int(void);
int is_even(int);
int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
int main(void)
{
    int n = nondet_int();
    if (n >= 0 && n < 5) {
        int e = is_even(n);
        if (n % 3 == 1)
            assert(!e);
        else
            assert(e || n == 3);
    }
    return 0;
}
